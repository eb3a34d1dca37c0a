// A number within each of several runs, so that what they share cancels.
#pragma once

#include <filesystem>

#include "checks/arb/ball.h"
#include "checks/audit/formula.h"

namespace gpe::checks {

/// The mean over runs of a number of measured results, with Student's 95 % interval of that mean. In run i
/// each word "a | b | c" is its i-th name. The runs' own intervals are left out: what the numbers of one run
/// share, such as the windows of text, is in all of them.
/// @throws theory::Undecided  saying what is missing, also for a single run; theory::SpecError where words
/// name different numbers of runs, or for quantities other than measured(…)
Ball paired(const std::filesystem::path& folder, const ClaimTerm& term);

}  // namespace gpe::checks
