#include "probes/predict/moment_predictor.h"

#include <Eigen/Core>
#include <cassert>
#include <cmath>

namespace gpe::probes {

MomentPrediction moment_prediction(const ScoreColumns& columns, const std::vector<model::Spread>& contents,
                                   const model::DistanceBuckets& buckets) {
  assert(columns.size() > 0);
  MomentPrediction result;
  if (columns.softcap != 0) {
    result.reason = "a soft cap: moments of the content do not give those of the score";
    return result;
  }
  std::vector<model::Spread> known = contents;
  for (std::size_t b = 1; b < known.size(); ++b) {
    if (known[b].count == 0) known[b] = known[b - 1];
  }
  Eigen::ArrayXd score(columns.size());
  Eigen::ArrayXd variance(columns.size());
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const model::Spread& content = known[buckets.of(columns.distance(at))];
    if (content.count == 0) {
      result.reason = "nothing was measured at small distances";
      return result;
    }
    const auto i = static_cast<Eigen::Index>(at);
    variance[i] = columns.gain[at] * columns.gain[at] * content.variance();
    score[i] = columns.bias[at] + columns.gain[at] * content.mean + variance[i] / 2;
  }
  score -= score.maxCoeff();
  const Eigen::ArrayXd weight = score.exp();
  const double z = weight.sum();
  result.excess = (weight * variance).sum() / z;
  const double effective = std::log(z) - (weight * score).sum() / z;
  result.entropy = effective - result.excess / 2;
  result.in_range = result.entropy >= 0 && result.excess <= effective;
  return result;
}

std::optional<double> log_fit(const std::vector<std::int64_t>& lengths, const std::vector<double>& entropies,
                              std::int64_t at) {
  if (lengths.size() < 2) return std::nullopt;
  const auto count = static_cast<Eigen::Index>(lengths.size());
  const Eigen::ArrayXd x =
      Eigen::Map<const Eigen::Array<std::int64_t, Eigen::Dynamic, 1>>(lengths.data(), count)
          .cast<double>()
          .log();
  const Eigen::Map<const Eigen::ArrayXd> y(entropies.data(), count);
  const Eigen::ArrayXd dx = x - x.mean();
  return y.mean() +
         (dx * (y - y.mean())).sum() / dx.square().sum() * (std::log(static_cast<double>(at)) - x.mean());
}

}  // namespace gpe::probes
