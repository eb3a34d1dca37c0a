// Claims about weights that are not a softmax, as claims about laws with one: theorems N1 to N5
// (docs/theorems.md), as docs/certificates.md states them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/properties/verdict.h"

namespace gpe::checks {

/// A claim from which the one asked for follows.
struct Reduction {
  theory::ScoreFunction law;       ///< with softmax
  const theory::Reading* reading;  ///< of the claim about that law
  bool one_way = false;            ///< that claim is not a consequence of the one asked for
  bool contrary = false;           ///< it fails where the claim asked for holds, and the other way round
  std::optional<std::string> level = std::nullopt;  ///< a number that a score's upper limit is compared with
};

/// What may prove the finding, the most likely first; empty where no rule does.
/// @param bound  the content bound, or the symbol B
std::vector<Reduction> reductions_of(const theory::ScoreFunction& law, const theory::Finding& finding,
                                     const theory::Expr& bound);

}  // namespace gpe::checks
