// A probe of small random models beside plain attention over all pairs, and what contradicts a theorem.
#include "probes/run/transformer_probe.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "model/evaluation/certified_window.h"
#include "probes/predict/contradictions.h"
#include "probes/report/report_json.h"
#include "probes/run/continued_contexts.h"
#include "tests/model/small_model.h"
#include "tests/model/token_files.h"
#include "theory/source/spec_error.h"

namespace transformer_probe_test {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::probes;
using tests::oracle;
using tests::small;

constexpr std::int64_t kLength = 48;

TsmConfig with(TsmConfig config, const std::vector<std::string>& set) {
  config.position.set = set;
  return config;
}

// Everything that a probe needs, and what it finds.
struct Probed {
  Probed(const std::string& encoding, const std::vector<std::int64_t>& lengths,
         const DistanceBuckets& distances, double factor = 30, const std::string& dtype = "float64",
         const std::vector<std::string>& set = {})
      : model(new_model(with(small(encoding, dtype), set), oracle())), buckets(distances) {
    at::set_num_threads(1);  // such small tensors are not worth more
    tests::stretch(*model.transformer, factor);
    for (int layer = 0; layer < 2; ++layer) {
      laws.emplace_back();
      for (int head = 0; head < 2; ++head)
        laws.back().push_back(at_values(head_law(model, layer, head, oracle())));
    }
    std::vector<std::uint16_t> tokens;
    for (std::size_t i = 0; i < 300; ++i)
      tokens.push_back(static_cast<std::uint16_t>(i % 50 == 49 ? 10 : (i * i + 3 * i) % 10));
    const TokenFile file(tests::write_tokens(folder, "t", tokens, 11, 10));
    for (const std::size_t begin : {0UL, 100UL, 150UL})
      windows.push_back({begin, static_cast<std::size_t>(lengths.back())});
    all = at::tensor(std::vector<std::int64_t>(tokens.begin(), tokens.end()));
    measured = measure(model, laws, file, windows, lengths, buckets, oracle(), [](double) {});
  }
  const HeadMeasurement& head(std::size_t l, std::size_t h) const { return measured.heads[l][h]; }

  tests::TemporaryFolder folder;
  LoadedModel model;
  DistanceBuckets buckets;
  std::vector<std::vector<theory::ScoreFunction>> laws;
  std::vector<Window> windows;
  at::Tensor all;
  Measurement measured;
};

// All rows of one window at T tokens, read in a pass of its own; [layer][head].
std::vector<std::vector<ReferenceOutput>> plain(const Probed& p, const Window& window, std::int64_t tokens) {
  std::vector<std::vector<ReferenceOutput>> result;
  const at::Tensor inputs = p.all.narrow(0, static_cast<std::int64_t>(window.begin), tokens).unsqueeze(0);
  p.model.transformer->hidden(inputs, [&](const at::Tensor& qkv, const AttentionLayer& layer) {
    result.emplace_back();
    for (int head = 0; head < 2; ++head) {
      const auto part = [&](std::int64_t which) {
        const at::Tensor x = qkv[0].narrow(1, which * 8 + head * 4, 4).to(at::kDouble).contiguous();
        return std::vector<double>(x.const_data_ptr<double>(), x.const_data_ptr<double>() + x.numel());
      };
      result.back().push_back(
          reference_forward({&p.model.positions->program(layer.layer, head),
                             p.model.positions->values(layer.layer, head, p.model.transformer->raw_numbers()),
                             {},
                             tokens,
                             tokens,
                             4,
                             part(0),
                             part(1),
                             part(2)}));
    }
  });
  return result;
}

const std::vector<std::string> kEncodings = {"ape", "rope", "alibi", "t5", "ssmax", "fire", "sliding-window"};

TEST(TransformerProbe, agrees_with_plain_attention_at_each_length) {
  const std::vector<std::int64_t> lengths = {2, 7, 32, kLength};
  for (const std::string& encoding : kEncodings) {
    const Probed p(encoding, lengths, DistanceBuckets::doubling(kLength));
    std::vector<std::vector<std::vector<std::vector<ReferenceOutput>>>> all;  // [length][window][layer][head]
    for (const std::int64_t length : lengths) {
      all.emplace_back();
      for (const Window& window : p.windows) all.back().push_back(plain(p, window, length));
    }
    for (std::size_t layer = 0; layer < 2; ++layer) {
      for (std::size_t head = 0; head < 2; ++head) {
        const HeadMeasurement& found = p.head(layer, head);
        for (std::size_t i = 0; i < lengths.size(); ++i) {
          const std::string name = encoding + " T = " + std::to_string(lengths[i]);
          const auto tokens = static_cast<std::size_t>(lengths[i]);
          Summary last;
          Summary half;
          std::vector<double> mass(p.buckets.size());
          std::vector<Spread> contents(p.buckets.size());
          double largest_weight = 0;
          for (const auto& of_window : all[i]) {
            const ReferenceOutput& rows = of_window[layer][head];
            last.add(rows.entropy.back());
            for (std::size_t r = tokens / 2; r < tokens; ++r) half.add(rows.entropy[r]);
            for (std::size_t r = 0; r < tokens; ++r) {
              for (std::size_t k = 0; k <= r; ++k) {
                if (std::isinf(rows.scores[r * tokens + k])) continue;
                const std::size_t b = p.buckets.of(static_cast<std::int64_t>(r - k));
                mass[b] += rows.weights[r * tokens + k];
                contents[b].merge({1, rows.contents[r * tokens + k], 0});
                if (r + 1 == tokens) largest_weight = std::max(largest_weight, rows.weights[r * tokens + k]);
              }
            }
          }
          const LengthMeasurement& at = found.lengths[i];
          EXPECT_EQ(at.last_row.entropy.count, 3);
          EXPECT_NEAR(at.last_row.entropy.mean(), last.mean(), 1e-10) << name;
          EXPECT_NEAR(at.last_row.entropy.least, last.least, 1e-10) << name;
          EXPECT_NEAR(at.last_row.entropy.largest, last.largest, 1e-10) << name;
          EXPECT_NEAR(at.tested.least_entropy, last.least, 1e-10) << name;
          EXPECT_NEAR(at.tested.largest_entropy, last.largest, 1e-10) << name;
          EXPECT_NEAR(at.second_half.entropy.mean(), half.mean(), 1e-10) << name;
          EXPECT_NEAR(at.last_row.largest_weight.largest, largest_weight, 1e-10) << name;
          EXPECT_NEAR(*std::max_element(at.tested.largest_weight.begin(), at.tested.largest_weight.end()),
                      largest_weight, 1e-10)
              << name;
          for (std::size_t b = 0; b < mass.size(); ++b) {
            EXPECT_NEAR(at.buckets[b].mass, mass[b], 1e-9) << name;
            EXPECT_EQ(at.buckets[b].content.count, contents[b].count) << name;
            EXPECT_NEAR(at.buckets[b].content.mean, contents[b].mean, 1e-9) << name;
            EXPECT_NEAR(at.buckets[b].content.variance(), contents[b].variance(), 1e-8) << name;
          }
        }
      }
    }
  }
}

TEST(TransformerProbe, random_models_contradict_nothing_and_false_bounds_do) {
  for (const char* dtype : {"float64", "float32"}) {
    for (const std::string& encoding : kEncodings) {
      const Probed p(encoding, {8, kLength}, DistanceBuckets::doubling(kLength), 30, dtype);
      const std::vector<std::vector<double>> bounds = content_bounds(p.model);
      for (std::size_t l = 0; l < 2; ++l) {
        for (std::size_t h = 0; h < 2; ++h) {
          const auto found = [&](std::optional<double> bound) {
            PredictionOptions options;
            options.content_bound = bound;
            const HeadPredictions predicted =
                predict(p.laws[l][h], p.head(l, h), p.buckets, options, oracle());
            return contradictions(static_cast<int>(l), static_cast<int>(h), p.laws[l][h], p.head(l, h),
                                  predicted, options, 1e-4, oracle());
          };
          for (const Contradiction& one : found(std::nullopt)) ADD_FAILURE() << encoding << ' ' << one.text;
          for (const Contradiction& one : found(bounds[l][h])) ADD_FAILURE() << encoding << ' ' << one.text;
          const std::vector<Contradiction> wrong = found(0);
          ASSERT_FALSE(wrong.empty()) << encoding;
          const auto has = [&](Contradiction::Kind kind) {
            return std::ranges::any_of(wrong, [&](const Contradiction& one) { return one.kind == kind; });
          };
          EXPECT_TRUE(has(Contradiction::Kind::content)) << encoding;
          EXPECT_TRUE(has(Contradiction::Kind::bound_band)) << encoding;
          EXPECT_TRUE(has(Contradiction::Kind::reach)) << encoding;
          EXPECT_FALSE(has(Contradiction::Kind::ranges_band)) << encoding;
          EXPECT_NE(
              wrong.front().text.find("layer " + std::to_string(l + 1) + ", head " + std::to_string(h + 1)),
              std::string::npos)
              << wrong.front().text;
        }
      }
    }
  }
}

TEST(TransformerProbe, weight_beyond_a_window_of_a_false_bound_is_found) {
  const Probed p("alibi", {kLength}, DistanceBuckets::doubling(kLength), 30, "float64", {"m=1"});
  PredictionOptions options;
  options.content_bound = 0;
  options.epsilon = theory::Rational(1, 20);
  bool seen = false;
  for (std::size_t l = 0; l < 2; ++l) {
    for (std::size_t h = 0; h < 2; ++h) {
      const HeadPredictions predicted = predict(p.laws[l][h], p.head(l, h), p.buckets, options, oracle());
      for (const Contradiction& one :
           contradictions(0, 0, p.laws[l][h], p.head(l, h), predicted, options, 1e-8, oracle()))
        seen = seen || one.kind == Contradiction::Kind::window;
    }
  }
  EXPECT_TRUE(seen);
}

// e^-745 and less: what is left of a weight there is rounding.
TEST(TransformerProbe, weights_below_the_least_normal_number_contradict_nothing) {
  for (int m = 150; m <= 165; ++m) {
    const Probed p("alibi", {kLength}, DistanceBuckets::doubling(kLength), 12, "float64",
                   {"m=" + std::to_string(m) + "/10"});
    for (std::size_t h = 0; h < 2; ++h) {
      const HeadPredictions predicted = predict(p.laws[0][h], p.head(0, h), p.buckets, {}, oracle());
      for (const Contradiction& one :
           contradictions(0, 0, p.laws[0][h], p.head(0, h), predicted, {}, 1e-8, oracle()))
        ADD_FAILURE() << m << ' ' << one.text;
    }
  }
}

// Scores from another law than the model's: one that the measured ranges do not know.
TEST(TransformerProbe, a_model_with_another_bias_leaves_the_band_of_its_ranges) {
  const Probed p("alibi", {kLength}, DistanceBuckets::each(kLength));
  const theory::ScoreFunction other = at_values(head_law(new_model(small("nope"), oracle()), 0, 0, oracle()));
  PredictionOptions options;
  const HeadPredictions predicted = predict(other, p.head(0, 0), p.buckets, options, oracle());
  const std::vector<Contradiction> found =
      contradictions(0, 0, other, p.head(0, 0), predicted, options, 1e-8, oracle());
  EXPECT_TRUE(std::ranges::any_of(
      found, [](const Contradiction& one) { return one.kind == Contradiction::Kind::ranges_band; }));
}

TEST(TransformerProbe, without_content_every_prediction_is_the_entropy) {
  const Probed p("alibi", {8, kLength}, DistanceBuckets::doubling(kLength), 0);
  const HeadPredictions predicted = predict(p.laws[1][1], p.head(1, 1), p.buckets, {}, oracle());
  for (std::size_t i = 0; i < 2; ++i) {
    const EntropyPredictions& says = predicted.lengths[i].entropy;
    const double measured = p.head(1, 1).lengths[i].last_row.entropy.mean();
    EXPECT_NEAR(*says.zero.value, measured, 1e-9);
    EXPECT_NEAR(says.moment.entropy, measured, 1e-9);
    EXPECT_NEAR(*says.sphere.value, measured, 1e-7);
    EXPECT_NEAR(*says.of_bound.lower, measured, 1e-7);
    EXPECT_NEAR(*says.of_bound.upper, measured, 1e-7);
    EXPECT_LE(*says.of_ranges.lower, measured + 1e-9);
    EXPECT_GE(*says.of_ranges.upper, measured - 1e-9);
    EXPECT_LT(*says.of_ranges.width(), 0.02);
  }
}

TEST(TransformerProbe, the_report_has_every_head_and_says_what_it_lacks) {
  const Probed p("rope", {8, kLength}, DistanceBuckets::doubling(kLength));
  const HeadPredictions predicted = predict(p.laws[0][1], p.head(0, 1), p.buckets, {}, oracle());
  const Json head = head_json(0, 1, p.laws[0][1], p.head(0, 1), predicted, p.buckets, {}, oracle());
  EXPECT_EQ(head["layer"], 1);
  EXPECT_EQ(head["head"], 2);
  EXPECT_NEAR(head["lengths"][0]["predictions"]["zero"]["entropy"].get<double>(), std::log(8), 1e-12);
  EXPECT_EQ(head["window"]["W"], nullptr);  // rope has none
  EXPECT_EQ(head["local_range"]["within_of_bias"], "unbounded");
  double mass = 0;
  for (const Json& bucket : head["distances"]) mass += bucket["mass"].get<double>();
  EXPECT_NEAR(mass, 1, 1e-9);
  EXPECT_EQ(head["distances"][3]["from"], 4);
  EXPECT_EQ(head["distances"][3]["to"], 7);
}

// Queries, keys and values of one window, [tokens, 3·width], by layer.
std::vector<at::Tensor> layers_of(const Probed& p, const Window& window) {
  std::vector<at::Tensor> result;
  p.model.transformer->hidden(
      p.all.narrow(0, static_cast<std::int64_t>(window.begin), static_cast<std::int64_t>(window.length))
          .unsqueeze(0),
      [&](const at::Tensor& qkv, const AttentionLayer&) { result.push_back(qkv[0].clone()); });
  return result;
}

TEST(ContinuedContexts, are_windows_with_the_keys_of_others_between) {
  constexpr std::int64_t kFit = 16;
  constexpr std::int64_t kFurther = 64;
  for (const std::string& encoding : kEncodings) {
    const Probed p(encoding, {kLength}, DistanceBuckets::doubling(kLength));
    const std::vector<Window> windows = {{0, kFit}, {50, kFit}, {150, kFit}};
    const TokenFile file(p.folder.path() / "t.bin");
    const auto found = continued_contexts(p.model, file, windows, {kFurther}, [](double) {});
    std::vector<std::vector<at::Tensor>> read;
    for (const Window& window : windows) read.push_back(layers_of(p, window));
    const std::int64_t tokens = middle_query(kFurther) + kFit / 4;
    for (std::size_t layer = 0; layer < 2; ++layer) {
      for (int head = 0; head < 2; ++head) {
        Summary difference;
        Summary entropy;
        for (std::size_t own = 0; own < 3; ++own) {
          std::vector<at::Tensor> rows = {read[own][layer].narrow(0, 0, 0)};  // 16/64 of a token stays first
          std::int64_t missing = tokens - kFit;
          for (std::size_t next = own + 1; missing > 0; ++next) {
            if (next % 3 == own) continue;
            const std::int64_t piece = std::min<std::int64_t>(missing, kFit / 2);
            rows.push_back(read[next % 3][layer].narrow(0, kFit / 2, piece));
            missing -= piece;
          }
          rows.push_back(read[own][layer]);
          const auto mean = [&](const at::Tensor& qkv) {
            const auto part = [&](std::int64_t which) {
              const at::Tensor x = qkv.narrow(1, which * 8 + head * 4, 4).to(at::kDouble).contiguous();
              return std::vector<double>(x.const_data_ptr<double>(), x.const_data_ptr<double>() + x.numel());
            };
            const int l = static_cast<int>(layer);
            const ReferenceOutput all =
                reference_forward({&p.model.positions->program(l, head),
                                   p.model.positions->values(l, head, p.model.transformer->raw_numbers()),
                                   {},
                                   qkv.size(0),
                                   qkv.size(0),
                                   4,
                                   part(0),
                                   part(1),
                                   part(2)});
            double sum = 0;
            for (std::size_t row = all.entropy.size() - kFit / 2; row < all.entropy.size(); ++row)
              sum += all.entropy[row] / (kFit / 2);
            return sum;
          };
          const double after = mean(at::cat(rows, 0));
          entropy.add(after);
          difference.add(after - mean(read[own][layer]));
        }
        const Continuation& at = found[layer][static_cast<std::size_t>(head)][0];
        EXPECT_NEAR(at.entropy, entropy.mean(), 1e-9) << encoding;
        EXPECT_NEAR(at.difference, difference.mean(), 1e-9) << encoding;
        EXPECT_LE(at.standard_error, difference.largest - difference.least) << encoding;
      }
    }
  }
}

}  // namespace transformer_probe_test
