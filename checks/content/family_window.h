// Effective windows of the exponential-power family with a content that is bounded alike at every distance.
#pragma once

#include <optional>

#include "checks/arb/big_count.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// W(ε) for b(n) = offset - delta·n - beta·log(1 + n) - gamma·sqrt(n) and |f| w B = a for all n: the least W
/// with
///   T(W) <= ε Z/((1 - ε) e^{2a} + ε),  T(W) = Σ_{n>W} e^b,  Z = T(first - 1);
/// T by family_sum, proved on both sides: at W and at W - 1.
/// @return nothing for other laws, for windows beyond 2^62, and when two numbers are too close to be told
/// apart: effective_window decides those
/// @throws theory::TimeUp
std::optional<BigCount> family_window(const theory::ScoreFunction& law, const theory::Rational& epsilon,
                                      const theory::Rational& bound, const theory::Context& context);

}  // namespace gpe::checks
