// Whether a proof proves an answer about a law that has values: looks up its rule and checks its claims.
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

struct Question {
  std::string name;   // "cn.every-content.holds": property, reading, verdict
  std::string bound;  // B, an expression
};

/// {"depth": 1, "ell": "6", "from": "404"}: all n with log^depth(n) >= ell, among them all n >= from (null:
/// not said).
void start(Calculus& calculus, const Json& threshold);

/// @param free  parameters left open, with the conditions on them in `cell`. Without any the claims are about
///              all n beyond a threshold, otherwise about all near infinity. @throws NotShown
void check_proof(const Question& question, const ScoreFunction& law, const Calculus& cell,
                 const std::set<std::string>& free, const Json& proof);

}  // namespace gpe::verifier
