// Bounds of tails Σ_{n>N} e^G, for a G that is proved to fall, by a geometric series or by the integral; and
// of finite sums from both sides, for any A.
#pragma once

#include <optional>

#include "checks/sums/moments.h"
#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// ∫_V^∞ e^F dv <= e^{F(V)}/σ  when F' < -σ on [V, ∞)                            bound I1, docs/bounds.md.
/// @param at  V enclosed; @param from  a rational at or below V: the slope is proved on [from, ∞)
/// Nothing when no σ > 0 is proved.
std::optional<Ball> integral_beyond(const theory::Expr& f, const theory::Rational& from, const Ball& at,
                                    long bits, const theory::Context& context);

/// Σ_{n>N} e^G <= e^{G(N)}/(e^σ - 1)  when G' < -σ on [N, ∞)                     bound E2, docs/bounds.md.
/// Nothing when no σ > 0 is proved.
std::optional<Ball> geometric_bound(const theory::Expr& g, const theory::Rational& after,
                                    const theory::Context& context);

/// Σ_{n>N} e^G <= ∫_N^∞ e^G <= e^{F(V)}/σ,  F = G + L_1 + … + L_k in the variable v = L_k(n), V = L_k(N),
/// when G' < 0 on [N, ∞) and F' < -σ on [V, ∞); k - 1 is the level of the iterated-logarithm scale at which Σ
/// e^G is decided
///                                                                               bound E4, docs/bounds.md.
/// Nothing when that is not proved.
/// @throws theory::Undecided  when G has no such coordinates; theory::TimeUp
std::optional<Ball> integral_bound(const theory::Expr& g, const theory::Rational& after, long bits,
                                   const theory::Context& context);

/// Σ_{a<=n<=m} e^G <= e^{G(m)}/(1 - e^{-σ})  when G' > σ on [a, ∞)               bound E6, docs/bounds.md.
/// @param sigma  proved by rate_of_fall(-G, a, …)
Ball rising_sum(const theory::Expr& g, const theory::Rational& sigma, const theory::Rational& last,
                long bits);

/// Σ_{N<n<=L} e^A, A e^A and n e^A from the least and the largest value of A on blocks of n, each half
/// its first n long:  count·e^m <= Σ_block e^A <= count·e^M        bound E7, docs/bounds.md. For every A
/// that ranges can be computed for; no expression is rewritten.
Moments between_bounds(const theory::Expr& score, const theory::Rational& after, const theory::Rational& last,
                       long bits, const theory::Context& context);

}  // namespace gpe::checks
