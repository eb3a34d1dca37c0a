// Encodings at one head, and random tokens, for the tests of model/position and model/attention.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "checks/arb/expr_ball.h"
#include "model/attention/reference.h"
#include "model/position/score_program.h"
#include "tests/oracle.h"
#include "theory/expression/expr_parse.h"
#include "theory/score/spec_parse.h"

namespace gpe::tests {

using gpe::testing::oracle;

inline theory::Encoding library_encoding(const std::string& name) {
  return theory::load_encoding(std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings" /
                               (name + ".toml"));
}

inline theory::Encoding encoding_of_text(const std::string& score, const std::string& parameters = "") {
  const std::string text =
      "schema = 1\nname = \"test\"\n[parameters]\n" + parameters + "\n[score]\n" + score + "\n";
  return theory::parse_encoding(text, "test", ".");
}

inline theory::ScoreFunction law_of(const theory::Encoding& encoding, int head_dim, int head = 1,
                                    int heads = 1, const std::vector<theory::Override>& overrides = {}) {
  return instantiate(encoding, {.head_dim = head_dim, .head = head, .heads = heads}, overrides, oracle());
}

/// The learned parameters' values in the law, as doubles.
inline std::vector<double> values_of(const theory::ScoreFunction& law,
                                     const std::vector<std::string>& names) {
  std::vector<double> result;
  for (const std::string& name : names) {
    for (const theory::ParameterValue& parameter : law.parameters) {
      if (parameter.name == name) result.push_back(checks::evaluate(parameter.value, {}, 64).approximate());
    }
  }
  return result;
}

inline std::vector<double> normal_numbers(std::size_t count, unsigned seed, double deviation = 1) {
  std::mt19937 random(seed);
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) {  // a sum of twelve: the same on every platform
    double sum = -6;
    for (int k = 0; k < 12; ++k) sum += static_cast<double>(random()) / 4294967296.0;
    result.push_back(deviation * sum);
  }
  return result;
}

/// ∂loss/∂number, by a central difference.
template <class Loss>
double difference(const Loss& loss, double& number) {
  const double before = number;
  const double step = 1e-5 * std::max(1.0, std::abs(before));
  number = before + step;
  const double above = loss();
  number = before - step;
  const double below = loss();
  number = before;
  return (above - below) / (2 * step);
}

}  // namespace gpe::tests
