// Local range at a threshold C1 > 0, in both readings (docs/readings.md): exact integers.
#pragma once

#include "checks/arb/big_count.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

struct LocalRange {
  BigCount literal;  ///< largest N with |b(n)| >= C1 for all n <= N
  BigCount within;   ///< largest N with |b(n)| <= C1 for all n <= N
};

/// @param law  without free parameters; when the bias mentions L, the statement is undetermined
LocalRange local_range(const theory::ScoreFunction& law, const theory::Rational& threshold,
                       const theory::Context& context);

}  // namespace gpe::checks
