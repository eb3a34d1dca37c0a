#include "probes/predict/moment_predictor.h"

#include <algorithm>
#include <cmath>

namespace gpe::probes {

MomentPrediction moment_prediction(const ScoreColumns& columns, const std::vector<model::Spread>& contents,
                                   const model::DistanceBuckets& buckets) {
  MomentPrediction result;
  if (columns.softcap != 0) {
    result.reason = "a soft cap: moments of the content do not give those of the score";
    return result;
  }
  std::vector<model::Spread> known = contents;
  for (std::size_t b = 1; b < known.size(); ++b) {
    if (known[b].count == 0) known[b] = known[b - 1];
  }
  std::vector<double> score(columns.size());
  std::vector<double> variance(columns.size());
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const model::Spread& content = known[buckets.of(columns.distance(at))];
    if (content.count == 0) {
      result.reason = "nothing was measured at small distances";
      return result;
    }
    variance[at] = columns.gain[at] * columns.gain[at] * content.variance();
    score[at] = columns.bias[at] + columns.gain[at] * content.mean + variance[at] / 2;
    top = std::max(top, score[at]);
  }
  double z = 0;
  double first = 0;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const double weight = std::exp(score[at] - top);
    z += weight;
    first += weight * (score[at] - top);
    result.excess += weight * variance[at];
  }
  result.excess /= z;
  const double effective = std::log(z) - first / z;
  result.entropy = effective - result.excess / 2;
  result.in_range = result.entropy >= 0 && result.excess <= effective;
  return result;
}

std::optional<double> log_fit(const std::vector<std::int64_t>& lengths, const std::vector<double>& entropies,
                              std::int64_t at) {
  const auto count = static_cast<double>(lengths.size());
  if (lengths.size() < 2) return std::nullopt;
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    x += std::log(static_cast<double>(lengths[i])) / count;
    y += entropies[i] / count;
  }
  double xx = 0;
  double xy = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double dx = std::log(static_cast<double>(lengths[i])) - x;
    xx += dx * dx;
    xy += dx * (entropies[i] - y);
  }
  return y + xy / xx * (std::log(static_cast<double>(at)) - x);
}

}  // namespace gpe::probes
