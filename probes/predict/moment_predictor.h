// The entropy that follows from mean and variance of the content at each distance, as if contents were
// normal and there were so many keys that sums are what they are expected to be.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/attention/distance_buckets.h"
#include "probes/measure/score_columns.h"

namespace gpe::probes {

struct MomentPrediction {
  double entropy = 0;
  double excess = 0;  ///< Σ p f²σ²: how much larger the mean score is under the weights than over keys
  bool in_range = false;  ///< where it is to be believed: excess <= H[b_eff], and entropy >= 0
  std::string reason;     ///< not empty: there is none, and why
};

/// H[b_eff] - ½ Σ p_eff f²σ², b_eff = b + fμ + f²σ²/2 with μ and σ² of the content by bucket of distance.
/// With Σ e^A = E Σ e^A (many keys share the weight), E_p A is that of the tilted normal law: μ + fσ² instead
/// of μ, which is f²σ²/2 more than b_eff has. Where f²σ² reaches 2 H[b_eff] a few keys take all the weight,
/// and sums are not what they are expected to be (the freezing of the random energy model); half of that is
/// the border taken here.
/// @param contents  by bucket; beyond the last one that has a count, that one's moments
MomentPrediction moment_prediction(const ScoreColumns& columns, const std::vector<model::Spread>& contents,
                                   const model::DistanceBuckets& buckets);

/// H = a + b log T through points (T, H) by least squares, at T; nothing with fewer than two lengths.
std::optional<double> log_fit(const std::vector<std::int64_t>& lengths, const std::vector<double>& entropies,
                              std::int64_t at);

}  // namespace gpe::probes
