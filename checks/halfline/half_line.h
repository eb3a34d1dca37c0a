// Proofs about all real x >= a: by interval arithmetic to infinity, else by an asymptotic interval form.
// Tests: tests/checks/sums/bounds_test.cpp, tests/checks/sums/general_sum_test.cpp
#pragma once

#include <optional>

#include "checks/arb/ball.h"
#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// Sums with more terms are not written out.
constexpr std::int64_t kMaxSumTerms = 20000;

/// A proof that expression(x) is defined and below the bound for every real x >= from (x written n); false
/// means "not proved".
bool surely_below(const theory::Expr& expression, const theory::Rational& bound, const theory::Rational& from,
                  const theory::Context& context);

/// A proof that expression(x) is defined for every real x >= from.
bool surely_defined(const theory::Expr& expression, const theory::Rational& from,
                    const theory::Context& context);

/// A proof that g is defined and differentiable with g' < -rate on [from, ∞) (D1, docs/bounds.md). False also
/// when g has a part without a derivative.
bool surely_falls(const theory::Expr& g, const theory::Rational& rate, const theory::Rational& from,
                  const theory::Context& context);

/// A rate sigma > 0, about 3/4 of the slope at `from`, with g' < -sigma on [from, ∞); nothing when none is
/// proved. @param here  the point (or an enclosure of one) at or beyond `from` whose slope is looked at
std::optional<theory::Rational> rate_of_fall(const theory::Expr& g, const theory::Rational& from,
                                             const Ball& here, long bits, const theory::Context& context);

/// The same context with facts that hold for every real n >= from, where `base` has those near infinity:
/// expressions rewritten under it stay equal on all of that domain.
theory::Context context_from(const theory::Rational& from, const theory::Context& base);

}  // namespace gpe::checks
