// A mean and how far it may be off: the percentile bootstrap over clusters (documents, windows).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace gpe::model {

/// What is resampled as a whole: the losses of one document are not independent of each other.
struct Cluster {
  double sum = 0;
  double count = 0;  ///< of what was summed
};

struct ConfidenceInterval {
  double lower = 0;
  double upper = 0;
};

/// sum of sums over sum of counts. @pre some count is positive
double cluster_mean(std::span<const Cluster> clusters);

/// The interval for that mean at `level`: the order statistics (B + 1)(1 -+ level)/2 of the means of B
/// resamples of as many clusters, drawn with replacement (Davison and Hinkley, Bootstrap Methods and Their
/// Application, 1997, section 5.3). The same seed gives the same interval. Intervals of few clusters are too
/// narrow, as such intervals are.
/// @pre  counts are positive; 0 < level < 1; (B + 1)(1 - level)/2 >= 1
/// @return  nothing for fewer than two clusters
std::optional<ConfidenceInterval> bootstrap_interval(std::span<const Cluster> clusters, std::uint64_t seed,
                                                     double level = 0.95, int resamples = 9999);

}  // namespace gpe::model
