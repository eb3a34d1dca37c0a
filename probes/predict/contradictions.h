// Measured numbers that a theorem excludes: either the number or what the theorem assumes is wrong.
#pragma once

#include <string>
#include <vector>

#include "probes/predict/predictions.h"

namespace gpe::probes {

struct Contradiction {
  enum class Kind {
    content,      ///< |c(n)| > B w(n): what was assumed
    bound_band,   ///< entropy outside the band of the content bound
    ranges_band,  ///< entropy outside the band of the ranges measured on the same queries
    reach,        ///< a weight that no content with the bound gives at this distance
    window        ///< more than ε of the weight beyond W(ε)
  };
  int layer = 0;  ///< from 0
  int head = 0;
  std::int64_t length = 0;  ///< T; the query is row T - 1
  Kind kind = Kind::content;
  double measured = 0;
  double limit = 0;  ///< what the theorem allows
  std::string text;  ///< "layer 1, head 2, T = 64: …"
};
std::string name_of(Contradiction::Kind kind);

/// How far a measured number may be beyond what a theorem allows. All are computed from the same queries and
/// keys in double precision: a sum of N <= 2^24 positive terms, each within a few units in the last place,
/// is within N 2^-53 < 2e-9 of itself, and an entropy of N tokens within that times 1 + log N.
inline constexpr double kRelativeAllowance = 1e-8;

/// @param content_allowance  relative, of |c(n)| <= B w(n): how far rounding may carry a query or key of the
/// model beyond what B holds for
std::vector<Contradiction> contradictions(int layer, int head, const theory::ScoreFunction& law,
                                          const HeadMeasurement& measured, const HeadPredictions& predicted,
                                          const PredictionOptions& options, double content_allowance,
                                          const theory::ConstantOracle& oracle);

}  // namespace gpe::probes
