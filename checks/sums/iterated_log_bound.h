// A bound of Σ_{n>N} e^G by comparison with an iterated logarithm of the iterated-logarithm scale, for every
// G that falls fast enough.
#pragma once

#include <optional>

#include "checks/arb/ball.h"
#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// Σ_{n>N} e^{G(n)} <= e^C·L_k(N)^{-η}/η  when G <= C - L_1 - … - L_k - (1 + η)·L_{k+1} on [N, ∞), k the
/// level of the iterated-logarithm scale at which Σ e^G is decided, the best of several η and C      bound
/// E5, docs/bounds.md. Nothing when none is proved.
std::optional<Ball> iterated_log_bound(const theory::Expr& g, const theory::Rational& after,
                                       const theory::Context& context);

}  // namespace gpe::checks
