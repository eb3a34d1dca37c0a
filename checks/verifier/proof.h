// Whether a proof proves an answer: looks up its rule and checks the claims of the rule.
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

/// @param free        parameters left open; `cell` has the conditions on them
/// @param explicit_n  whether claims are about all n beyond a threshold, and not just near infinity
/// @param proof       null: only that the law has values is shown
/// @throws NotShown
void check_proof(const Question& question, const ScoreFunction& law, const Calculus& cell,
                 const std::set<std::string>& free, bool explicit_n, const Json& proof);

}  // namespace gpe::verifier
