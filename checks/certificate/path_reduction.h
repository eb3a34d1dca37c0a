// Claims about gates along the path, as claims about laws with a constant gate, and about queries, as claims
// about laws with one: theorems P1, P2 and Q1 (docs/theorems.md), as docs/certificates.md states them.
#pragma once

#include "checks/certificate/normalizer_reduction.h"

namespace gpe::checks {

/// What may prove the finding, the most likely first; empty where no rule does. `level` is the key "gate" of
/// the certificate: how far the gate lies from the largest one to the smallest, or below the largest, or
/// above the mean.
/// @pre the law has gates
std::vector<Reduction> gate_reductions(const theory::ScoreFunction& law, const theory::Finding& finding);

/// The same of a bias linear in the query; `level` is the key "at", the part of the radius that r is.
/// @pre the law has one, and the reading is none of a gradient
std::vector<Reduction> query_reductions(const theory::ScoreFunction& law, const theory::Finding& finding);

}  // namespace gpe::checks
