// One rule of a certificate as a step of Coq: the theorem of theory/proofs/Certificates.v that the rule is,
// its witnesses, and its claims. Tests: tests/proofs/missing.py, tests/proofs/exports.cmake
#pragma once

#include <string>

#include "checks/certificate/proof_term.h"
#include "theory/properties/property.h"

namespace gpe::checks {

/// A tactic for the reading, or for its negation, in a case of the parameters.
/// @param proof  of the reading in this case
/// @throws NotExported  "rule X" where the rule has no theorem, or what its claims lack
std::string coq_rule(const theory::Reading& reading, const ProofTerm& proof, const theory::ScoreFunction& law,
                     const theory::Context& context);

}  // namespace gpe::checks
