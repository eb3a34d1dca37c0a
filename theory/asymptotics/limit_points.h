// The least and the largest limit point where there is no limit: of residue classes, and of waves.
// Tests: tests/theory/asymptotics/limit_points_test.cpp
#pragma once

#include <optional>

#include "theory/asymptotics/limit.h"

namespace gpe::theory {

/// liminf and limsup of expression(n), n → ∞ over the integers, where both are known exactly; else nothing.
///
/// In each residue class the expression must have a limit, or be mean + Σ aᵢ cos(ωᵢ n + φᵢ) + o(1) with 1 and
/// the ωᵢ/2π linearly independent over the rationals: the ωᵢ n + φᵢ are then dense on the torus (Kronecker's
/// theorem), and the limit points reach from mean - Σ|aᵢ| to mean + Σ|aᵢ|. Or it is of that form, with values
/// of both signs, when divided by an amplitude that tends to infinity.
/// @throws as `limit`
std::optional<LimitBounds> limit_points(const Expr& expression, const Context& context);

}  // namespace gpe::theory
