// What tail_integral integrates: factor(v)·e^{exponent(v)}, on the real axis and off it.
#pragma once

#include <optional>

#include "checks/arb/complex_ball.h"
#include "theory/exact/context.h"

namespace gpe::checks {

struct Integrand {
  theory::Expr exponent;
  std::optional<theory::Expr> factor;
  const theory::Context* context;  ///< whose time limit holds

  /// On the real axis, in real arithmetic, so that no branch is ever taken; unknown where it is not defined.
  Ball at(const Ball& v, long bits) const;
  /// On a box; finite only where the integrand is analytic on all of it.
  ComplexBall on(const ComplexBall& v, long bits) const;
};

}  // namespace gpe::checks
