// Which constant gate decides a statement about every gate, or some (theorem P1, docs/theorems.md).
#pragma once

#include "theory/properties/reading.h"
#include "theory/score/score_function.h"

namespace gpe::theory {

/// The end of the interval at which the statement without a path has the same answer; nothing where no finite
/// end does, or several matter. @pre gates is not `none`
std::optional<Expr> deciding_gate(const Reading& reading, OverGates gates, const Path& path);

}  // namespace gpe::theory
