// Content bounds hold for every input, and the windows are the least that the bounds prove.
#include "model/evaluation/certified_window.h"

#include <cmath>

#include "tests/model/small_model.h"
#include "theory/source/spec_error.h"

namespace certified_window_test {

using namespace gpe;
using namespace gpe::model;
using tests::oracle;
using tests::small;

std::vector<std::vector<double>> after_reading(const LoadedModel& model, const at::Tensor& tokens) {
  KeyValueCache cache;
  model.transformer->next_logits(tokens, cache);
  return content_bounds(model, cache);
}

TEST(CertifiedWindow, bounds_from_weights_hold_for_what_is_read) {
  for (const bool bias : {false, true}) {
    TsmConfig config = small("ape");
    config.model.bias = bias;
    const LoadedModel model = new_model(config, oracle());
    tests::stretch(*model.transformer, 30);
    if (bias) {
      const at::NoGradGuard no_gradients;
      for (const NamedTensor& weight : model.transformer->weights()) {
        if (weight.tensor.dim() == 1)
          weight.tensor.add_(at::linspace(-1, 1, weight.tensor.numel(), at::kDouble));
      }
    }
    const auto bounds = content_bounds(model);
    const auto seen = after_reading(model, tests::some_tokens(1, 200, 7).mul(3).remainder(11));
    for (std::size_t layer = 0; layer < 2; ++layer) {
      for (std::size_t head = 0; head < 2; ++head) {
        EXPECT_LE(seen[layer][head], bounds[layer][head]);
        EXPECT_GT(seen[layer][head], bounds[layer][head] / 30) << "far from tight";
      }
    }
  }
}

TEST(CertifiedWindow, a_bound_is_reached_by_the_input_that_stretches_most) {
  // one head of two coordinates; width 2: a normalized vector is (1, -1) or (-1, 1), of norm √2 exactly
  TsmConfig config = small("ape");
  config.model.layers = 1;
  config.model.heads = 1;
  config.model.width = 2;
  const LoadedModel model = new_model(config, oracle());
  tests::stretch(*model.transformer, 1000);  // so that the epsilon of the normalization does not matter
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& weight : model.transformer->weights()) {
    if (weight.name.ends_with(
            "attn.c_attn.weight")) {  // q = (3 x₁, -3 x₂), k = (5 x₁, -5 x₂): both at their most
      weight.tensor.copy_(
          at::tensor({3.0, -3.0, 0.0, 0.0, 5.0, -5.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0}).view({6, 2}));
    }
  }
  // q = (3, -3)·x = ±6, k = ±10
  EXPECT_NEAR(content_bounds(model)[0][0], 60 / std::sqrt(2), 1e-6);
  EXPECT_NEAR(after_reading(model, tests::some_tokens(1, 11, 1))[0][0], 60 / std::sqrt(2), 1e-3);
}

TEST(CertifiedWindow, keys_are_those_of_the_closed_form_for_alibi) {
  TsmConfig config = small("alibi");
  config.position.set = {"m=1/2"};
  const LoadedModel model = new_model(config, oracle());
  const std::vector<std::vector<double>> bounds = {{0.25, 1}, {2, 4}};
  const auto keys = certified_keys(model, theory::Rational(1, 1000), bounds, oracle());
  for (std::size_t layer = 0; layer < 2; ++layer) {
    for (std::size_t head = 0; head < 2; ++head) {
      // U = e^B r^(W+1)/(1-r), l = e^-B (1 - r^(W+1))/(1-r): U/(U + l) <= ε
      const double r = std::exp(-0.5);
      std::int64_t window = 0;
      while (true) {
        const double rest = std::pow(r, static_cast<double>(window + 1));
        const double above = std::exp(bounds[layer][head]) * rest;
        if (above <= 1e-3 * (above + std::exp(-bounds[layer][head]) * (1 - rest))) break;
        ++window;
      }
      EXPECT_EQ(keys[layer][head], window + 1);
    }
  }
}

TEST(CertifiedWindow, fewer_keys_change_the_loss_and_enough_do_not) {
  const at::Tensor inputs = tests::some_tokens(1, 40, 3);
  const at::Tensor targets = tests::some_tokens(1, 40, 5);
  for (const char* encoding : {"ape", "rope", "sliding-window", "t5"}) {
    LoadedModel model = new_model(small(encoding), oracle());
    tests::stretch(*model.transformer, 12);
    const EncodingFiles encoding_files = model.encoding;
    const at::Tensor whole = model.transformer->losses(inputs, targets);
    restrict_keys(model, encoding_files, {{40, 100}, {40, 41}}, oracle());
    EXPECT_TRUE(model.transformer->losses(inputs, targets).equal(whole)) << encoding;
    restrict_keys(model, encoding_files, {{40, 100}, {3, 41}}, oracle());
    const at::Tensor less = model.transformer->losses(inputs, targets);
    EXPECT_TRUE(less.narrow(1, 0, 3).equal(whole.narrow(1, 0, 3))) << encoding;
    EXPECT_FALSE(less.equal(whole)) << encoding;
  }
}

TEST(CertifiedWindow, heads_without_one_are_named) {
  const LoadedModel model = new_model(small("rope"), oracle());
  try {
    certified_keys(model, theory::Rational(1, 100), {{1, 1}, {1, 1}}, oracle());
    FAIL();
  } catch (const theory::SpecError& error) {
    EXPECT_NE(std::string(error.what()).find("layer 1, head 1: no window holds all but 1/100"),
              std::string::npos)
        << error.what();
  }
  EXPECT_THROW(epsilon_option("0"), theory::SpecError);
  EXPECT_THROW(epsilon_option("1"), theory::SpecError);
  EXPECT_THROW(content_bounds_option("-1", model), theory::SpecError);
  EXPECT_EQ(content_bounds_option("3/2", model)[1][1], 1.5);
}

}  // namespace certified_window_test
