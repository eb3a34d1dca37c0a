// H as the limit of H_L. Tests: tests/checks/content/settled_entropy_test.cpp
#pragma once

#include "checks/sums/sums.h"

namespace gpe::checks {

/// `sums.entropy` where it is the limit of H_L. Where Z is infinite it is infinite by convention: it stays so
/// when H_L is proved to tend to infinity, and is unknown with a reason otherwise, as for n*log(2), whose H_L
/// tends to 2 log 2.
/// @param sums  of this law, by enclose_sums
EnclosedNumber settled_entropy(const theory::ScoreFunction& law, const Sums& sums, const SumOptions& options,
                               const theory::ConstantOracle& oracle);

}  // namespace gpe::checks
