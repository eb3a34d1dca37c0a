// Properties that hold for every right encoding and kernel, to be called inside a RapidCheck property.
// Tests: tests/checks/testing/testing_test.cpp
#pragma once

#include <cmath>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "checks/content/score_at.h"
#include "checks/testing/generators.h"

namespace gpe::testing {

inline constexpr long kBits = 128;

inline std::string shown(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

/// kernel(q, k, n, L) is A(n) of the law for generated q, k and n <= L < most, within
/// relative·(|f(n)| |q||k|/√d + |b(n)| + 1): for float32 about 1e-5, and more where angles are computed in
/// it.
/// @param law  theory::at_values of an instance
template <typename Kernel>
void score_is_that_of(const theory::ScoreFunction& law, std::int64_t most, double relative,
                      const Kernel& kernel) {
  const auto d = static_cast<std::size_t>(law.head_dim);
  const std::vector<double> q = *any_vector(d);
  const std::vector<double> k = *any_vector(d);
  const std::int64_t n = *any_distance(law, most - 1);
  const std::int64_t length = law.depends_on_length() || law.rotation.angle.mentions(theory::kLength)
                                  ? *rc::gen::inRange<std::int64_t>(n, most)
                                  : n;
  const std::map<std::string, checks::Ball> at = {{theory::kIndex, checks::Ball(n)},
                                                  {theory::kLength, checks::Ball(length)}};
  const double expected =
      checks::score_at(law, checks::exact_balls(q), checks::exact_balls(k), n, length, kBits).approximate();
  const auto size = [](const std::vector<double>& x) {
    return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
  };
  const double content = std::abs(checks::evaluate(law.gain, at, kBits).approximate()) * size(q) * size(k) /
                         std::sqrt(static_cast<double>(d));
  const double bias = std::abs(checks::evaluate(law.bias, at, kBits).approximate());
  const double value = kernel(q, k, n, length);
  RC_LOG() << law.name << " at n = " << n << ", L = " << length << ": the kernel has " << shown(value)
           << ", the encoding " << shown(expected) << "\n";
  RC_ASSERT(std::abs(value - expected) <= relative * (content + bias + 1));
}

struct RowResult {
  double log_normalizer;  ///< log Σ e^A
  double entropy;         ///< of the weights, in nats
};

/// kernel(scores) of generated rows agrees with sums in extended precision, within `tolerance` (of the log
/// normalizer relative to its size + 1); lies in [0, log N]; and does what a softmax does: an offset moves
/// the log normalizer alone, and the order of the tokens does not matter.
template <typename Kernel>
void row_is_softmax(std::size_t most, double tolerance, const Kernel& kernel) {
  const std::vector<double> scores = *any_scores(most);
  const long double top = *std::max_element(scores.begin(), scores.end());
  long double sum = 0;
  long double mean = 0;
  for (const double score : scores) {
    const long double weight = std::exp(score - top);
    sum += weight;
    mean += weight * (score - top);
  }
  const auto normalizer = static_cast<double>(top + std::log(sum));
  const auto entropy = static_cast<double>(std::log(sum) - mean / sum);
  const double room = tolerance * (1 + std::abs(normalizer));
  const RowResult row = kernel(scores);
  RC_LOG() << scores.size() << " scores: the kernel has log Z = " << shown(row.log_normalizer)
           << ", H = " << shown(row.entropy) << "; expected " << shown(normalizer) << ", " << shown(entropy)
           << "\n";
  RC_ASSERT(std::abs(row.log_normalizer - normalizer) <= room);
  RC_ASSERT(std::abs(row.entropy - entropy) <= room);
  RC_ASSERT(row.entropy >= -room);
  RC_ASSERT(row.entropy <= std::log(static_cast<double>(scores.size())) + room);
  std::vector<double> moved(scores.rbegin(), scores.rend());
  constexpr double offset = 3;
  for (double& score : moved) score += offset;
  const RowResult other = kernel(moved);
  RC_ASSERT(std::abs(other.entropy - row.entropy) <= 2 * room);
  RC_ASSERT(std::abs(other.log_normalizer - row.log_normalizer - offset) <= 2 * room);
}

/// A window of W + 1 keys leaves out at most `epsilon` of the weight in a context of `tokens`, whatever the
/// contents within `bound`: holds for W = checks::effective_window, and fails for one that is too small.
inline void window_is_enough(const theory::ScoreFunction& law, std::int64_t window, double epsilon,
                             double bound, std::int64_t tokens) {
  const std::int64_t last = std::min(tokens - 1, law.last().value_or(tokens - 1));
  const std::vector<double> contents = *any_contents(static_cast<std::size_t>(last - law.first + 1), bound);
  long double kept = 0;
  long double beyond = 0;
  for (std::int64_t n = law.first; n <= last; ++n) {
    const std::map<std::string, checks::Ball> at = {{theory::kIndex, checks::Ball(n)},
                                                    {theory::kLength, checks::Ball(tokens - 1)}};
    const auto value = [&](const theory::Expr& e) { return checks::evaluate(e, at, kBits).approximate(); };
    const double content = contents[static_cast<std::size_t>(n - law.first)] * value(law.norm);
    (n <= window ? kept : beyond) +=
        std::exp(static_cast<long double>(value(law.bias) + value(law.gain) * content));
  }
  RC_LOG() << law.name << ": " << shown(static_cast<double>(beyond / (kept + beyond)))
           << " of the weight lies beyond W = " << window << "\n";
  RC_ASSERT(beyond <= static_cast<long double>(epsilon * (1 + 1e-9)) * (kept + beyond));
}

}  // namespace gpe::testing
