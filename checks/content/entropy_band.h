// The sharp entropy band: how small and how large the entropy can be when every score is only known to lie in
// [l_n, u_n] (docs/readings.md).
#pragma once

#include "checks/content/score_intervals.h"
#include "checks/sums/sums.h"

namespace gpe::checks {

struct EntropyBand {
  EnclosedNumber upper;  ///< the largest entropy, enclosed; attained
  EnclosedNumber lower;  ///< from a proved lower bound to an attained value
};

/// sup H over all contents: A_n = clamp(τ, l_n, u_n) with τ = log Z - H, the root of the decreasing
///   G(τ) = Σ_{l>τ} e^l (l - τ) - Σ_{u<τ} e^u (τ - u);
/// for G(τ_1) > 0 > G(τ_2), H lies in [log Z(τ_1) - τ_2, log Z(τ_2) - τ_1]                 (bound B1,
/// docs/readings.md)
/// @throws theory::Undecided, theory::TimeUp.
Ball largest_entropy(ScoreIntervals& box, int digits, const theory::Context& context);

struct SmallestEntropy {
  Ball proved;    ///< no content has less
  Ball attained;  ///< some content has this
};
/// inf H over all contents: every reachable (Z, S) lies in a zonotope whose upper boundary is walked in
/// decreasing κ; max(0, -log p_max, min of log Z - S/Z over it), with both states of the widest tokens
/// enumerated.
///                                                                                  (bound B2,
///                                                                                  docs/readings.md)
SmallestEntropy smallest_entropy(ScoreIntervals& box, const theory::Context& context);

/// Both ends for a law at one content bound; `length` none: the limit.
EntropyBand entropy_band(const theory::ScoreFunction& law, const theory::Rational& bound,
                         const std::optional<theory::Rational>& length, int digits,
                         const theory::Context& context);

/// The scores of `copies` tokens lie in [low, high].
struct ScoreRange {
  double low = 0;
  double high = 0;
  int copies = 1;
};
/// Both ends for measured ranges. Tokens that are listed together are one edge of the zonotope; those listed
/// alone may be enumerated, which is sharper when they are wide.
/// @pre ranges is not empty, its numbers are finite
EntropyBand entropy_band(const std::vector<ScoreRange>& ranges, int digits, const theory::Context& context);
/// The same, one per token: low[i] <= score <= high[i].
EntropyBand entropy_band(const std::vector<double>& low, const std::vector<double>& high, int digits,
                         const theory::Context& context);

}  // namespace gpe::checks
