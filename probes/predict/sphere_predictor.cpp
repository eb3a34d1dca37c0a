#include "probes/predict/sphere_predictor.h"

#include <cassert>
#include <cmath>

namespace gpe::probes {

namespace {

struct Mean {
  double log_mean = 0;  ///< log M(u)
  double tilt = 0;      ///< u M'(u)/M(u): the content's mean under the weights
};

// The series Σ t_k, t_k = (u²/4)^k/(k! (d/2)_k), and u M' = Σ 2k t_k; scaled down where it grows large.
Mean mean_of(double u, int head_dim) {
  constexpr double kLarge = 1e250;
  const double x = u * u / 4;
  double term = 1;
  double sum = 1;
  double first = 0;
  double scaled = 0;
  for (int k = 0; k < 100000; ++k) {
    term *= x / ((k + 1.0) * (head_dim / 2.0 + k));
    sum += term;
    first += 2 * (k + 1.0) * term;
    if (sum > kLarge) {
      for (double* number : {&term, &sum, &first}) *number /= kLarge;
      scaled += std::log(kLarge);
    }
    if (term < 1e-18 * sum && x < (k + 2.0) * (head_dim / 2.0 + k + 1)) break;
  }
  return {std::log(sum) + scaled, first / sum};
}

// Entropy of weights ∝ e^{log weight(n)}; each score exceeds the logarithm of its weight by a given amount.
class Weighted {
 public:
  void add(double log_weight, double score) {
    if (log_weight > top_) {
      const double factor = std::exp(top_ - log_weight);
      mass_ *= factor;
      moment_ *= factor;
      top_ = log_weight;
    }
    const double weight = std::exp(log_weight - top_);
    mass_ += weight;
    moment_ += weight * score;
  }
  double entropy() const { return top_ + std::log(mass_) - moment_ / mass_; }

 private:
  double top_ = -std::numeric_limits<double>::infinity();
  double mass_ = 0;
  double moment_ = 0;
};

}  // namespace

double bias_entropy(const ScoreColumns& columns) {
  assert(columns.size() > 0);
  Weighted all;
  for (const double bias : columns.bias) all.add(bias, bias);
  return all.entropy();
}

Predicted sphere_entropy(const theory::ScoreFunction& law, const ScoreColumns& columns, double scale) {
  assert(columns.size() > 0);
  if (columns.softcap != 0) return {std::nullopt, "a soft cap"};
  if (law.transform == theory::Transform::hyperbolic || law.transform == theory::Transform::scaled_rotation)
    return {std::nullopt, "W(n) is not a multiple of an orthogonal matrix"};
  Weighted all;
  double last = -1;
  Mean mean;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const double u = std::abs(columns.gain[at]) * columns.norm[at] * scale;
    if (u != last) mean = mean_of(u, law.head_dim);
    last = u;
    all.add(columns.bias[at] + mean.log_mean, columns.bias[at] + mean.tilt);
  }
  return {all.entropy(), ""};
}

}  // namespace gpe::probes
