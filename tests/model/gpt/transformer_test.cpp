// The model: its size, its gradients against differences, its cache, and its checkpoints.
#include "model/gpt/transformer.h"

#include <cmath>

#include "model/gpt/head_loss.h"
#include "tests/model/small_model.h"
#include "tests/temporary_folder.h"
#include "theory/source/spec_error.h"

namespace transformer_test {

using namespace gpe;
using namespace gpe::model;
using gpe::tests::library;
using gpe::tests::oracle;
using gpe::tests::small;
using gpe::tests::some_tokens;
using gpe::tests::stretch;

// Tensors this small gain nothing from threads, and lose when the CPUs are busy.
[[maybe_unused]] const bool one_thread_is_set = [] {
  at::set_num_threads(1);
  return true;
}();

TEST(Transformer, counts_the_parameters_of_the_paper) {
  TsmConfig config;
  config.position.encoding = library("rope");
  settle_vocabulary(config, std::nullopt);
  const LoadedModel model = new_model(config, oracle());
  // 6·12·384² + 50304·384, and 13 normalizations of 384: 29.9 M
  EXPECT_EQ(model.transformer->parameters(), 6 * 12 * 384 * 384 + 50304 * 384 + 13 * 384);
  EXPECT_EQ(std::lround(static_cast<double>(model.transformer->parameters()) / 1e5), 299);

  // and takes a step: from the loss of guessing, and down on the tokens of the step
  AdamW optimizer(*model.transformer, config.training);
  const at::Tensor tokens = (at::arange(33, at::kLong) * 7919).remainder(50257).view({1, 33});
  const at::Tensor inputs = tokens.narrow(1, 0, 32);
  const at::Tensor targets = tokens.narrow(1, 1, 32);
  const double before = model.transformer->add_gradients(inputs, targets, 1.0 / 32);
  EXPECT_NEAR(before, std::log(50304), 0.5);
  optimizer.clip(config.training.clip);
  optimizer.step(config.training.learning_rate, 1);
  EXPECT_LT(model.transformer->losses(inputs, targets).mean().item<double>(), before - 0.5);
}

TEST(Transformer, begins_near_the_loss_of_guessing_and_from_the_seed_alone) {
  const LoadedModel one = new_model(small("ape"), oracle());
  const LoadedModel same = new_model(small("ape"), oracle());
  TsmConfig other_seed = small("ape");
  other_seed.training.seed = 1;
  const LoadedModel other = new_model(other_seed, oracle());
  const at::Tensor inputs = some_tokens(3, 10, 3);
  const at::Tensor targets = some_tokens(3, 10, 5);
  const at::Tensor losses = one.transformer->losses(inputs, targets);
  EXPECT_NEAR(losses.mean().item<double>(), std::log(13), 0.05);
  EXPECT_TRUE(losses.equal(same.transformer->losses(inputs, targets)));
  EXPECT_FALSE(losses.equal(other.transformer->losses(inputs, targets)));
}

TEST(Transformer, records_the_entropies_and_largest_scores_of_the_rows_it_trains_on) {
  for (const std::string encoding : {"ape", "rope", "alibi", "ssmax"}) {
    const LoadedModel model = new_model(small(encoding), oracle());
    stretch(*model.transformer, 12);
    const at::Tensor inputs = some_tokens(3, 10, 3);
    model.transformer->record_heads(true);
    model.transformer->add_gradients(inputs, some_tokens(3, 10, 5), 1);
    const std::vector<double> entropies = model.transformer->seen_entropies();
    const std::vector<double> scores = model.transformer->seen_largest_scores();
    ASSERT_EQ(entropies.size(), 2 * 2 * 10);
    ASSERT_EQ(scores.size(), 2 * 2);
    model.transformer->hidden(inputs, [&](const at::Tensor& qkv, const AttentionLayer& layer) {
      const AttentionStatistics expected = statistics(qkv, layer, 0, 10, nullptr);
      for (std::size_t head = 0; head < 2; ++head) {
        const std::size_t at = static_cast<std::size_t>(layer.layer) * 2 + head;
        double largest = -std::numeric_limits<double>::infinity();
        for (std::size_t row = 0; row < 10; ++row) {
          double mean = 0;
          for (std::size_t batch = 0; batch < 3; ++batch) {
            const RowStatistics& of = expected.rows[(batch * 2 + head) * 10 + row];
            mean += of.entropy / 3;
            largest = std::max(largest, of.largest_score);
          }
          EXPECT_NEAR(entropies[at * 10 + row], mean, 1e-12) << encoding << " " << at << " " << row;
        }
        EXPECT_NEAR(scores[at], largest, 1e-12 * (1 + std::abs(largest))) << encoding << " " << at;
      }
    });
    model.transformer->record_heads(false);
    model.transformer->add_gradients(inputs, some_tokens(3, 10, 5), 1);
    EXPECT_EQ(model.transformer->seen_entropies(), entropies) << "kept from the last recording";
  }
}

// What GPT-NeoX has, and nanoGPT has not.
void like_neox(TsmConfig::Model& m) {
  m.bias = true;
  m.feed_forward = 20;
  m.activation = "gelu_tanh";
  m.norm_epsilon = 1e-3;
  m.parallel_residual = true;
  m.tied_head = false;
}

// What Llama has, and GPT-2 has not.
void like_llama(TsmConfig::Model& m) {
  m.feed_forward = 12;
  m.activation = "swiglu";
  m.norm = "rms";
  m.tied_head = false;
}

TEST(Transformer, gradients_agree_with_differences) {
  struct Case {
    std::string encoding;
    std::vector<std::string> learned;
    void (*change)(TsmConfig::Model&);
  };
  for (const Case& c :
       {Case{"ape",
             {"delta", "beta", "gamma", "lambda", "alpha0", "base"},
             [](TsmConfig::Model& m) { m.bias = true; }},
        Case{"rope", {}, [](TsmConfig::Model& m) { m.position_table = 12; }},
        Case{"ssmax", {"s"}, [](TsmConfig::Model& m) { m.feed_forward = 12; }}, Case{"rope", {}, like_neox},
        Case{"rope", {}, like_llama}, Case{"nope", {}, [](TsmConfig::Model& m) { m.activation = "relu"; }}}) {
    TsmConfig config = small(c.encoding);
    c.change(config.model);
    config.position.learned = c.learned;
    const LoadedModel model = new_model(config, oracle());
    Transformer& transformer = *model.transformer;
    stretch(transformer, 12);
    const at::Tensor inputs = some_tokens(2, 10, 3);
    const at::Tensor targets = some_tokens(2, 10, 5);
    const double scale = 1.0 / 40;  // of two accumulated parts
    const double loss =
        transformer.add_gradients(inputs, targets, scale) + transformer.add_gradients(targets, inputs, scale);
    const auto loss_now = [&] {
      return scale * (transformer.losses(inputs, targets).sum() + transformer.losses(targets, inputs).sum())
                         .item<double>();
    };
    EXPECT_NEAR(loss, loss_now(), 1e-12);
    std::vector<NamedTensor> all = transformer.weights();
    if (transformer.raw().numel() > 0) all.push_back({"position.raw", transformer.raw()});
    for (const NamedTensor& weight : all) {
      const at::NoGradGuard no_gradients;
      double* numbers = weight.tensor.mutable_data_ptr<double>();
      const double* gradient = weight.tensor.grad().const_data_ptr<double>();
      const std::int64_t stride = std::max<std::int64_t>(1, weight.tensor.numel() / 7);
      for (std::int64_t i = 0; i < weight.tensor.numel(); i += stride) {
        const double before = numbers[i];
        const double step = 1e-5;
        numbers[i] = before + step;
        const double above = loss_now();
        numbers[i] = before - step;
        const double below = loss_now();
        numbers[i] = before;
        EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 1e-8)
            << c.encoding << ' ' << weight.name << ' ' << i;
      }
    }
  }
}

TEST(Transformer, targets_below_zero_have_no_loss) {
  for (const std::string encoding : {"rope", "kerple-log"}) {
    TsmConfig config = small(encoding);
    if (encoding == "kerple-log") config.position.learned = {"p", "a"};
    const LoadedModel model = new_model(config, oracle());
    Transformer& transformer = *model.transformer;
    stretch(transformer, 12);
    const at::Tensor inputs = some_tokens(3, 10, 3);
    const at::Tensor targets = some_tokens(3, 10, 5);
    const at::Tensor asked = at::arange(30, at::kLong).remainder(4).eq(1).view({3, 10});
    const auto gradients = [&](const at::Tensor& of) {
      for (const NamedTensor& weight : transformer.weights()) weight.tensor.mutable_grad().reset();
      const_cast<at::Tensor&>(transformer.raw()).mutable_grad().reset();
      const double loss = transformer.add_gradients(inputs, of, 0.5);
      std::vector<at::Tensor> result = {at::scalar_tensor(loss, at::kDouble)};
      for (const NamedTensor& weight : transformer.weights()) result.push_back(weight.tensor.grad().clone());
      if (transformer.raw().numel() > 0) result.push_back(transformer.raw().grad().clone());
      return result;
    };
    const auto all = gradients(targets);
    const auto one = gradients(at::where(asked, targets, -1));
    const auto other = gradients(at::where(asked, -1, targets));
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_LT((all[i] - one[i] - other[i]).abs().max().item<double>(), 1e-12) << encoding << ' ' << i;
    const double expected =
        transformer.losses(inputs, targets).masked_select(asked).sum().item<double>() * 0.5;
    EXPECT_NEAR(one[0].item<double>(), expected, 1e-12);
  }
}

TEST(Transformer, a_head_of_its_own_begins_as_another_matrix_and_leaves_the_rest_as_it_was) {
  TsmConfig config = small("rope");
  const LoadedModel tied = new_model(config, oracle());
  config.model.tied_head = false;
  const LoadedModel untied = new_model(config, oracle());
  EXPECT_EQ(untied.transformer->weights().back().name, "lm_head.weight");
  EXPECT_EQ(untied.transformer->parameters(), tied.transformer->parameters() + 13 * 8);
  const at::Tensor inputs = some_tokens(2, 10, 3);
  EXPECT_TRUE(tied.transformer->hidden(inputs).equal(untied.transformer->hidden(inputs)));
  EXPECT_FALSE(tied.transformer->head().equal(untied.transformer->head()));
  EXPECT_TRUE(tied.transformer->head().is_same(tied.transformer->weights().front().tensor));
}

TEST(Transformer, reduced_precision_is_near_the_exact_one) {
  const at::Tensor inputs = some_tokens(3, 10, 3);
  const at::Tensor targets = some_tokens(3, 10, 5);
  const auto loss = [&](const std::string& dtype) {
    const LoadedModel model = new_model(small("ape", dtype), oracle());
    return model.transformer->add_gradients(inputs, targets, 1.0 / 30);
  };
  const double exact = loss("float64");
  EXPECT_NEAR(loss("float32"), exact, 1e-6);
  EXPECT_NEAR(loss("bfloat16"), exact, 1e-2);
  EXPECT_NE(loss("bfloat16"), exact);
}

TEST(Transformer, token_by_token_with_a_cache_is_the_same_as_at_once) {
  for (const char* encoding : {"ape", "rope", "ssmax", "sliding-window", "nope"}) {
    TsmConfig config = small(encoding);
    if (std::string(encoding) == "nope") like_neox(config.model);
    const LoadedModel model = new_model(config, oracle());
    const at::Tensor inputs = some_tokens(1, 9, 3);
    const at::Tensor all =
        at::mm(model.transformer->hidden(inputs)[0], model.transformer->head().detach().t());
    KeyValueCache cache;
    for (std::int64_t t = 0; t < 9;) {
      const std::int64_t here = t == 0 ? 4 : 1;  // a prompt, then one by one
      const at::Tensor logits = model.transformer->next_logits(inputs.narrow(1, t, here), cache);
      t += here;
      EXPECT_LT((logits.to(at::kDouble) - all[t - 1]).abs().max().item<double>(), 1e-6)
          << encoding << ' ' << t;
    }
  }
}

TEST(Transformer, saved_and_loaded_it_is_the_same_to_the_bit) {
  for (const char* encoding : {"ape", "t5"}) {
    const tests::TemporaryFolder folder;
    TsmConfig config = small(encoding, "float32");
    if (std::string(encoding) == "ape") config.position.learned = {"beta"};
    if (std::string(encoding) == "t5") like_neox(config.model);
    LoadedModel model = new_model(config, oracle());
    model.iteration = 17;
    AdamW optimizer(*model.transformer, config.training);
    const at::Tensor inputs = some_tokens(3, 10, 3);
    const at::Tensor targets = some_tokens(3, 10, 5);
    model.transformer->add_gradients(inputs, targets, 1.0 / 30);
    optimizer.clip(1);
    optimizer.step(0.01, 1);
    save_checkpoint(folder.path(), model, optimizer);
    write_encoding_files(model.encoding, folder / "beside.toml");
    const LoadedModel loaded = load_model(folder.path(), oracle());
    EXPECT_EQ(loaded.iteration, 17);
    EXPECT_EQ(to_toml(loaded.config), to_toml(config));
    EXPECT_TRUE(
        loaded.transformer->losses(inputs, targets).equal(model.transformer->losses(inputs, targets)));
    AdamW again(*loaded.transformer, config.training);
    load_moments(folder.path(), loaded, again);
    for (std::size_t i = 0; i < again.moments().size(); ++i) {
      EXPECT_TRUE(again.moments()[i].tensor.equal(optimizer.moments()[i].tensor)) << again.moments()[i].name;
    }
    const LoadedModel exact = load_model(folder.path(), oracle(), "float64");
    EXPECT_NEAR(exact.transformer->losses(inputs, targets).mean().item<double>(),
                model.transformer->losses(inputs, targets).mean().item<double>(), 1e-6);
  }
}

TEST(Transformer, a_checkpoint_that_does_not_fit_is_refused) {
  const tests::TemporaryFolder folder;
  EXPECT_THROW(load_model(folder.path(), oracle()), theory::SpecError);
  const LoadedModel model = new_model(small("rope", "float32"), oracle());
  const AdamW optimizer(*model.transformer, model.config.training);
  save_checkpoint(folder.path(), model, optimizer);
  TsmConfig wider = small("rope", "float32");
  wider.model.width = 16;
  const LoadedModel other = new_model(wider, oracle());
  EXPECT_THROW(take_weights(folder.path(), *other.transformer), theory::SpecError);
}

TEST(HeadLoss, agrees_with_libtorch_whatever_the_chunks) {
  // 600,000 words: at most 33 rows at once, so chunks of 24, 24 and 22
  const at::Tensor x = (at::arange(70 * 8, at::kDouble).sin() * 3).view({70, 8}).requires_grad_(true);
  const at::Tensor w =
      (at::arange(600'001 * 8, at::kDouble) * 0.7).sin().view({600'001, 8}).requires_grad_(true);
  const at::Tensor targets = (at::arange(70, at::kLong) * 4001).remainder(600'001);
  const at::Tensor loss = head_loss(x, w, targets, 0.25);
  loss.backward();
  const at::Tensor x_gradient = x.grad().clone();
  const at::Tensor w_gradient = w.grad().clone();
  x.mutable_grad().reset();
  w.mutable_grad().reset();
  const at::Tensor expected =
      at::nll_loss(at::log_softmax(at::mm(x, w.t()), 1), targets, {}, at::Reduction::Sum) * 0.25;
  expected.backward();
  EXPECT_NEAR(loss.item<double>(), expected.item<double>(), 1e-10);
  EXPECT_LT((x.grad() - x_gradient).abs().max().item<double>(), 1e-12);
  EXPECT_LT((w.grad() - w_gradient).abs().max().item<double>(), 1e-12);
  const at::Tensor tokens = token_losses(x, w, targets);
  EXPECT_NEAR(tokens.sum().item<double>() * 0.25, expected.item<double>(), 1e-10);
}

}  // namespace transformer_test
