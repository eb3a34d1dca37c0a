// Attention of weights that are not a softmax: beside sums written out here, beside differences, and as a
// softmax beside the kernels.
#include "model/gpt/composed_attention.h"

#include <cmath>
#include <fstream>

#include "model/attention/reference.h"
#include "tests/model/small_model.h"
#include "tests/temporary_folder.h"

namespace composed_attention_test {

using namespace gpe;
using namespace gpe::model;
using gpe::tests::oracle;
using gpe::tests::small;
using gpe::tests::some_tokens;

constexpr std::int64_t kTokens = 9;
constexpr std::int64_t kHeads = 2;
constexpr std::int64_t kHeadDim = 4;

struct Case {
  std::string score;
  std::vector<std::string> learned;
  std::string tables;  // after [score]
};

const std::vector<Case>& cases() {
  static const std::string rotation = "transform = \"rotation\"\n";
  static const std::vector<Case> all = {
      {"bias = \"-m*n*h\"\n", {"m"}, ""},
      {"gain = \"1 + m*n\"\nbias = \"n/9\"\nsoftcap = \"c\"\nfirst = 2\nwindow = \"3 + h\"\n",
       {"c", "m"},
       ""},
      {rotation, {}, "[score.rotation]\nangle = \"n*30^(-2*j/d)\"\nlayout = \"interleaved\"\n"},
      {rotation + "bias = \"-m*n\"\n", {"m"}, "[score.rotation]\nangle = \"n*30^(-2*j/d)/h\"\n"},
      {rotation, {"c"}, "[score.rotation]\nangle = \"n*c/(1 + j)\"\nlayout = \"interleaved\"\n"},
      {"transform = \"scaled-rotation\"\n",
       {"m"},
       "[score.rotation]\nangle = \"n/(1 + j)\"\nscale = \"exp(-m*n*(1 + j))\"\n"},
      {"transform = \"hyperbolic\"\n", {"c"}, "[score.hyperbolic]\nrate = \"1/(2 + j)\"\ndecay = \"c\"\n"},
      {"transform = \"none\"\nbias = \"c - m*log(1 + n)\"\n", {"m", "c"}, ""}};
  return all;
}

LoadedModel model_of(const tests::TemporaryFolder& folder, const Case& c, const std::string& normalizer) {
  const std::filesystem::path file = folder / "encoding.toml";
  std::ofstream(file)
      << "schema = 1\nname = \"test\"\n[parameters]\nm = { default = \"1/10\" }\nc = { default = "
         "\"3/2\" }\n[score]\n"
      << c.score << normalizer << c.tables;
  TsmConfig config = small("nope");
  config.position.encoding = file.string();
  config.position.learned = c.learned;
  return new_model(config, oracle());
}

at::Tensor some_numbers(at::IntArrayRef shape, double frequency, double most) {
  const std::int64_t count = c10::multiply_integers(shape);
  return ((at::arange(count, at::kDouble) * frequency).sin() * most).view(shape);
}

// The weights of a query, from its scores key by key, as docs/specification.md has them.
std::vector<double> weights(const std::vector<double>& scores, theory::Normalizer normalizer, std::size_t k) {
  std::vector<double> result(scores.size());
  double sum = 0;
  for (std::size_t key = 0; key < scores.size(); ++key) {
    const double score = scores[key];
    std::size_t before = 0;  // keys that are larger, or as large and nearer
    for (std::size_t other = 0; other < scores.size(); ++other)
      before += scores[other] > score || (scores[other] == score && other > key) ? 1 : 0;
    if (std::isinf(score)) continue;
    if (normalizer == theory::Normalizer::sigmoid)
      result[key] = 1 / (1 + std::exp(-score));
    else if (normalizer == theory::Normalizer::relu)
      result[key] = std::max(score, 0.0);
    else
      result[key] = normalizer == theory::Normalizer::top_k && before >= k ? 0 : std::exp(score);
    sum += result[key];
  }
  for (double& weight : result) weight = sum > 0 ? weight / sum : 0;
  return result;
}

// The sums Σ_j p_ij v_j of one head, one query after the other.
at::Tensor written_out(const at::Tensor& qkv, const LoadedModel& model, int head) {
  const ScoreProgram& program = model.positions->program(0, head);
  const auto numbers = [](const at::Tensor& tensor) {
    const at::Tensor flat = tensor.contiguous();
    const double* from = flat.const_data_ptr<double>();
    return std::vector<double>(from, from + flat.numel());
  };
  at::Tensor out = at::zeros({qkv.size(0), kTokens, kHeadDim}, at::kDouble);
  for (std::int64_t b = 0; b < qkv.size(0); ++b) {
    const auto part = [&](std::int64_t which) {
      return qkv[b].narrow(1, (which * kHeads + head) * kHeadDim, kHeadDim);
    };
    const ReferenceOutput reference =
        reference_forward({&program,
                           model.positions->values(0, head, model.transformer->raw_numbers()),
                           {},
                           kTokens,
                           kTokens,
                           kHeadDim,
                           numbers(part(0)),
                           numbers(part(1)),
                           numbers(part(2))});
    for (std::int64_t i = 0; i < kTokens; ++i) {
      const auto row = reference.scores.begin() + i * kTokens;
      const std::vector<double> p = weights({row, row + kTokens}, program.normalizer(),
                                            static_cast<std::size_t>(program.keys_selected()));
      for (std::int64_t j = 0; j < kTokens; ++j) out[b][i] += p[static_cast<std::size_t>(j)] * part(2)[j];
    }
  }
  return out;
}

TEST(ComposedAttention, is_what_the_definition_says_with_gradients_of_differences) {
  const tests::TemporaryFolder folder;
  for (const Case& c : cases()) {
    for (const std::string normalizer : {"normalizer = \"sigmoid\"\n", "normalizer = \"relu\"\n",
                                         "normalizer = { kind = \"top-k\", k = \"1 + h\" }\n"}) {
      const std::string where = c.score + normalizer + c.tables;
      const LoadedModel model = model_of(folder, c, normalizer);
      const at::Tensor qkv =
          some_numbers({2, kTokens, 3 * kHeads * kHeadDim}, 1.37, 1.5).requires_grad_(true);
      const at::Tensor factors = some_numbers({2, kTokens, kHeads * kHeadDim}, 0.71, 1);
      const at::Tensor& raw = model.transformer->raw();
      const auto out = [&] { return attend(qkv, raw, model.transformer->layer_scores(0, kTokens)); };
      const at::Tensor found = out();
      for (int head = 0; head < kHeads; ++head) {
        const at::Tensor of_head = found.detach().narrow(2, head * kHeadDim, kHeadDim);
        EXPECT_LT((of_head - written_out(qkv.detach(), model, head)).abs().max().item<double>(), 1e-12)
            << where;
      }
      (found * factors).sum().backward();
      const auto loss = [&] {
        const at::NoGradGuard no_gradients;
        return (out() * factors).sum().item<double>();
      };
      for (const at::Tensor& numbers : raw.numel() > 0 ? std::vector{qkv, raw} : std::vector{qkv}) {
        ASSERT_TRUE(numbers.grad().defined()) << where;
        double* at = numbers.mutable_data_ptr<double>();
        for (std::int64_t i = 0; i<numbers.numel(); i += numbers.numel()> 40 ? 17 : 1) {
          const double before = at[i], step = 1e-5;
          at[i] = before + step;
          const double above = loss();
          at[i] = before - step;
          const double below = loss();
          at[i] = before;
          const double gradient = numbers.grad().const_data_ptr<double>()[i];
          EXPECT_NEAR(gradient, (above - below) / (2 * step), 1e-7 * (1 + std::abs(gradient))) << where << i;
        }
      }
    }
  }
}

TEST(ComposedAttention, as_a_softmax_is_that_of_the_kernels) {
  const tests::TemporaryFolder folder;
  for (const Case& c : cases()) {
    const LoadedModel model = model_of(folder, c, "");
    const at::Tensor& raw = model.transformer->raw();
    const auto layer = model.transformer->layer_scores(0, kTokens);
    std::vector<double> entropies[2];
    std::vector<at::Tensor> found[2];  // output and gradients, of the kernels and composed
    for (const int composed : {0, 1}) {
      const at::Tensor qkv =
          some_numbers({2, kTokens, 3 * kHeads * kHeadDim}, 1.37, 1.5).requires_grad_(true);
      const auto parts = qkv.chunk(3, 2);
      const_cast<at::Tensor&>(raw).mutable_grad().reset();
      entropies[composed].resize(kHeads * kTokens + kHeads);
      layer->entropy = std::span(entropies[composed]).first(kHeads * kTokens);
      layer->largest_score = std::span(entropies[composed]).last(kHeads);
      const at::Tensor out = composed == 1 ? attend_composed(parts[0], parts[1], parts[2], raw, *layer)
                                           : attend(qkv, raw, layer);
      (out * some_numbers({2, kTokens, kHeads * kHeadDim}, 0.71, 1)).sum().backward();
      found[composed] = {out.detach(), qkv.grad()};
      if (raw.numel() > 0) found[composed].push_back(raw.grad().clone());
    }
    for (std::size_t i = 0; i < found[0].size(); ++i)
      EXPECT_LT((found[0][i] - found[1][i]).abs().max().item<double>(), 1e-11) << c.score << c.tables << i;
    for (std::size_t i = 0; i < entropies[0].size(); ++i)
      EXPECT_NEAR(entropies[1][i], entropies[0][i], 1e-12) << c.score << c.tables << i;
  }
}

TEST(ComposedAttention, of_equal_scores_the_nearest_are_selected) {
  const tests::TemporaryFolder folder;
  const Case flat{"transform = \"none\"\n", {}, ""};
  const LoadedModel model = model_of(folder, flat, "normalizer = { kind = \"top-k\", k = 3 }\n");
  const at::Tensor qkv = some_numbers({1, kTokens, 3 * kHeads * kHeadDim}, 1.37, 1);
  const at::Tensor out = attend(qkv, model.transformer->raw(), model.transformer->layer_scores(0, kTokens));
  const at::Tensor v = qkv.chunk(3, 2)[2];
  for (std::int64_t i = 0; i < kTokens; ++i) {
    const std::int64_t first = std::max<std::int64_t>(0, i - 2);
    const at::Tensor mean = v.narrow(1, first, i + 1 - first).mean(1);
    EXPECT_LT((out.select(1, i) - mean).abs().max().item<double>(), 1e-15) << i;
  }
}

TEST(ComposedAttention, far_below_0_a_sigmoid_keeps_its_weights) {
  const tests::TemporaryFolder folder;
  const Case low{"transform = \"none\"\nbias = \"-2000 - n\"\n", {}, ""};
  const at::Tensor qkv = some_numbers({1, kTokens, 3 * kHeads * kHeadDim}, 1.37, 1);
  const auto out = [&](const std::string& normalizer) {
    const LoadedModel model = model_of(folder, low, normalizer);
    return attend(qkv, model.transformer->raw(), model.transformer->layer_scores(0, kTokens));
  };
  EXPECT_LT((out("normalizer = \"sigmoid\"\n") - out("")).abs().max().item<double>(), 1e-12);
}

TEST(ComposedAttention, in_pieces_and_token_by_token_it_is_the_same_as_at_once) {
  const tests::TemporaryFolder folder;
  for (const std::string normalizer :
       {"normalizer = \"sigmoid\"\n", "normalizer = { kind = \"top-k\", k = 4 }\n"}) {
    const LoadedModel model = model_of(folder, cases()[3], normalizer);
    constexpr std::int64_t kLong = 2100;  // squared, more than is computed at once
    const at::Tensor qkv = some_numbers({1, kLong, 3 * kHeads * kHeadDim}, 1.37, 1.5);
    const auto layer = model.transformer->layer_scores(0, kLong);
    const at::Tensor whole = attend(qkv, model.transformer->raw(), layer).detach();
    const at::NoGradGuard no_gradients;
    EXPECT_LT((attend(qkv, model.transformer->raw(), layer) - whole).abs().max().item<double>(), 1e-12);

    const at::Tensor inputs = some_tokens(1, kTokens, 3);
    const at::Tensor all = at::mm(model.transformer->hidden(inputs)[0], model.transformer->head().t());
    KeyValueCache cache;
    for (std::int64_t t = 0; t < kTokens;) {
      const std::int64_t here = t == 0 ? 4 : 1;
      const at::Tensor logits = model.transformer->next_logits(inputs.narrow(1, t, here), cache);
      t += here;
      EXPECT_LT((logits.to(at::kDouble) - all[t - 1]).abs().max().item<double>(), 1e-6) << normalizer << t;
    }
  }
}

}  // namespace composed_attention_test
