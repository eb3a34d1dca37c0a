// The least and the largest limit point where there is no limit: of residue classes, and of waves.
// Tests: tests/theory/asymptotics/limit_points_test.cpp
#pragma once

#include <optional>
#include <string>

#include "theory/asymptotics/limit.h"

namespace gpe::theory {

/// What is proved about liminf and limsup, each between the bounds of its own: the same where it is exact.
struct LimitPoints {
  LimitBounds low;
  LimitBounds high;
};

/// Of expression(n), n → ∞ over the integers. Nothing where a wave is not understood.
///
/// In each residue class the expression must have a limit, or be mean + Σ aᵢ cos(ωᵢ n + φᵢ) + o(1). With 1
/// and the ωᵢ/2π linearly independent over the rationals the ωᵢ n + φᵢ are dense on the torus (Kronecker's
/// theorem), and the limit points reach from mean - Σ|aᵢ| to mean + Σ|aᵢ|. Else each ωᵢ is a whole
/// combination of some that are, and those points reach from the least to the largest value of the sum on the
/// torus of these (theory/asymptotics/wave_maximum.h). Or the expression is of that form, with values of both
/// signs, when divided by an amplitude that tends to infinity.
/// @throws as `limit`
std::optional<LimitPoints> limit_points(const Expr& expression, const Context& context);

/// "limsup b = 9/8"; where it is not known exactly, that it is at least its lower bound, or at most its upper
/// one, to one digit.
std::string point_text(const std::string& what, const LimitBounds& point, bool at_least);

}  // namespace gpe::theory
