// Entropies at unmeasured lengths, from windows of a few tokens: the prediction of each predictor, for
// comparison with a held-out measurement.
#pragma once

#include "probes/predict/predictions.h"

namespace gpe::probes {

/// How the queries of short windows fare among more keys of the same kind (continued_contexts.h), at one
/// length.
struct Continuation {
  double entropy = 0;         ///< mean over the queries
  double difference = 0;      ///< of it from the same queries' entropy in their own windows
  double standard_error = 0;  ///< of the difference, over contexts
};

/// Mean entropy of rows T/2 … T - 1. Theory says something of one query: it is taken at position 2T/e, where
/// log L has its mean over those rows.
struct Extrapolated {
  std::string name;
  Predicted plain;     ///< as the predictor has it
  Predicted from_fit;  ///< what was measured at the fit, and the predictor's difference from there
};

struct LengthExtrapolation {
  std::int64_t length = 0;  ///< T
  std::vector<Extrapolated> predictors;
  double standard_error = 0;  ///< of "continued"
};

/// The query whose log L is the mean over rows T/2 … T - 1: T·2/e, rounded.
std::int64_t middle_query(std::int64_t length);

/// "bias": its entropy without content; "sphere"; "moments" of the content by bucket of distance, the last
/// bucket's beyond; "log": a + b log T; "continued".
/// @param fit           measured in windows of fit.lengths.back().length tokens
/// @param lengths       greater than that
/// @param continuation  by length
/// @throws theory::SpecError  a law whose numbers cannot be computed by distance
std::vector<LengthExtrapolation> extrapolate(const theory::ScoreFunction& law, const HeadMeasurement& fit,
                                             const model::DistanceBuckets& buckets,
                                             const std::vector<std::int64_t>& lengths,
                                             const std::vector<Continuation>& continuation,
                                             const theory::ConstantOracle& oracle);

}  // namespace gpe::probes
