// Designs: that a point of a family meets requirements, and that no point of a box does, or none better.
#pragma once

#include "checks/verifier/score_function.h"

namespace gpe::verifier {

/// @throws NotShown
void check_design(const ScoreFunction& law, const Json& certificate);

}  // namespace gpe::verifier
