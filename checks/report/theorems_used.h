// Where the theorems behind a verdict stand, in docs and theory/proofs. Tests: tests/cli/report.cmake
#pragma once

#include <string>

#include "checks/report/report.h"

namespace gpe::checks {

/// "C1 in docs/theorems.md (in Coq: theory/proofs/Contents.v)", one after the other. Empty for an undecided
/// verdict, and where a definition decides, or a rule without an id.
/// @param on_a_scale  whether the verdict rests on an inequality with a threshold, as T1 has it
std::string theorems_used(const theory::Finding& finding, const EncodingReport& report, bool on_a_scale,
                          const theory::Context& context);

}  // namespace gpe::checks
