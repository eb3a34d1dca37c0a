// Is every function of a specification defined at every n it will be asked for? If not: where, and which
// part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/score/score_function.h"

namespace gpe::checks {

/// Looks at bias, gain, the norm of the transform and the angle of every block, at the law's values, for two
/// seconds.
/// @return what all that follows assumes, as it was neither proved nor refuted: "bias is assumed to have a
/// value at every n (seen below n = 2048)"; empty when every function is proved to have values.
/// @throws theory::SpecError  "…: bias is undefined at n = 1000: 1/(n - 1000) divides by zero"
std::vector<std::string> require_defined(const theory::ScoreFunction& law, const std::string& source,
                                         const theory::Context& context);

}  // namespace gpe::checks
