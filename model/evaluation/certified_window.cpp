#include "model/evaluation/certified_window.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "checks/cli/command_line.h"
#include "checks/content/effective_window.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

constexpr double kRoundingUp = 1 + 1e-9;
constexpr std::chrono::seconds kTime(10);  // of each window

// Undefined where the model has none of that name.
at::Tensor weight_of(const LoadedModel& model, const std::string& name) {
  for (const NamedTensor& weight : model.transformer->weights()) {
    if (weight.name == name) return weight.tensor.to(at::kCPU);
  }
  return {};
}

// A decimal not below a positive number.
theory::Rational not_below(double value) {
  if (!std::isfinite(value)) throw std::runtime_error("a content bound is not a number");
  if (value > 1e12) {  // beyond 2^63 millionths; the next double is farther than they are
    char text[400];
    std::snprintf(text, sizeof text, "%.6f", std::nextafter(value, std::numeric_limits<double>::infinity()));
    return theory::Rational::parse(text).value();
  }
  return theory::Rational(static_cast<std::int64_t>(std::ceil(value * 1e6)), 1'000'000);
}

}  // namespace

std::vector<std::vector<double>> content_bounds(const LoadedModel& model) {
  const at::NoGradGuard no_gradients;
  const std::int64_t width = model.config.model.width;
  const std::int64_t head_dim = model.config.head_dim();
  std::vector<std::vector<double>> result;
  for (std::int64_t layer = 0; layer < model.config.model.layers; ++layer) {
    const std::string at = "transformer.h." + std::to_string(layer) + ".";
    const at::Tensor gamma = weight_of(model, at + "ln_1.weight").to(at::kDouble);
    const at::Tensor beta = weight_of(model, at + "ln_1.bias");
    const at::Tensor all = weight_of(model, at + "attn.c_attn.weight").to(at::kDouble);
    const at::Tensor bias = weight_of(model, at + "attn.c_attn.bias");
    const auto longest = [&](std::int64_t first_row) {
      const at::Tensor part = all.narrow(0, first_row, head_dim);
      const double stretch = at::linalg_matrix_norm(part * gamma, 2).item<double>();
      at::Tensor constant = at::zeros({head_dim}, at::kDouble);
      if (beta.defined()) constant = constant + at::mv(part, beta.to(at::kDouble));
      if (bias.defined()) constant = constant + bias.to(at::kDouble).narrow(0, first_row, head_dim);
      return std::sqrt(static_cast<double>(width)) * stretch + constant.norm().item<double>();
    };
    result.emplace_back();
    for (std::int64_t head = 0; head < model.config.model.heads; ++head) {
      const double q = longest(head * head_dim);
      const double k = longest(width + head * head_dim);
      result.back().push_back(q * k / std::sqrt(static_cast<double>(head_dim)) * kRoundingUp);
    }
  }
  return result;
}

std::vector<std::vector<double>> content_bounds(const LoadedModel& model, const KeyValueCache& cache) {
  const double root = std::sqrt(static_cast<double>(model.config.head_dim()));
  std::vector<std::vector<double>> result = cache.longest_query;
  for (std::size_t layer = 0; layer < result.size(); ++layer) {
    for (std::size_t head = 0; head < result[layer].size(); ++head)
      result[layer][head] *= cache.longest_key[layer][head] / root * kRoundingUp;
  }
  return result;
}

std::vector<std::vector<std::int64_t>> certified_keys(const LoadedModel& model,
                                                      const theory::Rational& epsilon,
                                                      const std::vector<std::vector<double>>& bounds,
                                                      const theory::ConstantOracle& oracle) {
  using checks::BigCount;
  if (const auto normalizer = model.positions->normalizer(); normalizer != theory::Normalizer::softmax)
    throw theory::SpecError("--epsilon: the model has normalizer = \"" +
                            std::string(theory::name_of(normalizer)) +
                            "\"; windows are proved for weights of \"softmax\" alone");
  const theory::Context context(oracle, theory::Budget(kTime));
  std::vector<std::vector<std::int64_t>> result;
  for (std::size_t layer = 0; layer < bounds.size(); ++layer) {
    result.emplace_back();
    for (std::size_t head = 0; head < bounds[layer].size(); ++head) {
      const theory::ScoreFunction law =
          at_values(head_law(model, static_cast<int>(layer), static_cast<int>(head), oracle));
      const BigCount window =
          checks::effective_window(law, epsilon, not_below(bounds[layer][head]), std::nullopt, context);
      const std::string where =
          "layer " + std::to_string(layer + 1) + ", head " + std::to_string(head + 1) + ": ";
      const auto number = window.kind == BigCount::Kind::number ? window.number.to_int64() : std::nullopt;
      if (!number) {
        std::string why = "the window is beyond 10^18";
        if (window.kind == BigCount::Kind::unknown) why = "the window is not determined: " + window.reason;
        if (window.kind == BigCount::Kind::none)
          why = "no window holds all but " + epsilon.str() +
                " of the weight: the weights of far tokens do not sum up";
        throw theory::SpecError(where + why);
      }
      result.back().push_back(*number + 1);
    }
  }
  return result;
}

void restrict_keys(LoadedModel& model, const EncodingFiles& encoding,
                   const std::vector<std::vector<std::int64_t>>& keys, const theory::ConstantOracle& oracle) {
  model.encoding = with_windows(encoding, keys);
  auto positions = std::make_unique<Positions>(model.encoding, model.positions->setting(), oracle);
  model.transformer->use(*positions);
  model.positions = std::move(positions);
}

std::vector<std::vector<double>> content_bounds_option(const std::string& text, const LoadedModel& model) {
  if (text == "weights") return content_bounds(model);
  const theory::Rational bound = checks::number_option("--content-bound", text);
  if (bound.sign() < 0) throw theory::SpecError("--content-bound: expected a number from 0");
  return std::vector(static_cast<std::size_t>(model.config.model.layers),
                     std::vector(static_cast<std::size_t>(model.config.model.heads), bound.approximate()));
}

theory::Rational epsilon_option(const std::string& text) {
  const theory::Rational epsilon = checks::number_option("--epsilon", text);
  if (epsilon.sign() <= 0 || epsilon >= theory::Rational(1))
    throw theory::SpecError("--epsilon: expected a number between 0 and 1");
  return epsilon;
}

}  // namespace gpe::model
