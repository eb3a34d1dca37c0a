// Regions of the parameters, and trees of cases that cover all parameters.
#pragma once

#include "checks/verifier/proof.h"

namespace gpe::verifier {

/// A proof that all points of the cell lie inside the region "m > 0, or m = 0 and p > 1" ("always", "never"),
/// or that none does; false proves nothing.
bool lies(const Calculus& cell, Evaluator e, const std::string& region, bool inside);

/// @throws NotShown  unless the parameter lies in its domain, everywhere in the cell
void check_domain(const Calculus& cell, Evaluator& e, const Json& parameter);

struct Found {
  bool holds = false, fails = false, undecided = false;  // in some case
  const char* verdict() const {                          // where no case is undecided
    if (!fails) return "holds";
    return holds ? "depends" : "fails";
  }
};
/// Every case is proved of a law with values, and lies on its side of the region; no sign of a splitter is
/// left out. @throws NotShown
Found check_cases(const Question& question, const ScoreFunction& law, const std::set<std::string>& free,
                  const std::string& region, const Calculus& cell, const Json& tree, int depth = 0,
                  bool defined = false);

}  // namespace gpe::verifier
