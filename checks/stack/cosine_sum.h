// The sign of Σ_j cos(n θ_j) over the blocks of a rotation: where a head whose queries and keys are alike can
// no longer tell them from random ones (Men et al., arXiv 2405.14591).
#pragma once

#include <vector>

#include "checks/arb/ball.h"
#include "checks/arb/big_count.h"
#include "theory/exact/budget.h"

namespace gpe::checks {

/// The least n <= last with Σ_j cos(n θ_j) < 0. Unbounded: none, proved.
/// @param frequencies  θ_j in radians, 0 for a block that stays
BigCount first_negative(const std::vector<Ball>& frequencies, std::int64_t last, const theory::Budget& time);

/// Bases b with Σ_j cos(n b^(-2j/d)) >= 0 for all n <= last: those that suffice, which are not an interval.
struct LeastBase {
  bool any = false;           ///< every base above 1 suffices
  theory::Rational below;     ///< none from 1 up to this one suffices, proved
  theory::Rational suffices;  ///< this one does, proved; 0: none was found
  bool in_time = true;        ///< where none was: the steps of the search ended it, not the time
};
/// @param turning  blocks with θ_j = b^(-2j/d), d = 2·turning
/// @param still    further blocks, which stay: each adds 1
LeastBase least_base(int turning, int still, std::int64_t last, const theory::Budget& time);

}  // namespace gpe::checks
