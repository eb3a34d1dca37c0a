#include "checks/halfline/half_line.h"

#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/arb/range.h"
#include "checks/halfline/tail_form.h"
#include "theory/exact/attempt.h"
#include "theory/exact/decision.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

// Whether `claim` holds on some domain X0 = exp^depth(ell) <= from, ell > 1.
template <class Claim>
bool on_some_domain(const Rational& from, const Context& context, const Claim& claim) {
  for (int depth = 1; depth <= 4; ++depth) {
    Ball level(from, kSearchBits);
    for (int k = 0; k < depth; ++k) level = log(level, kSearchBits);
    const auto ends = level.ends();
    if (!ends || ends->low <= Rational(1)) return false;
    // a short rational below log^depth(from)
    const Rational ell = (ends->low * Rational(1024)).floor() / Rational(1024);
    if (ell <= Rational(1)) return false;
    const auto proved = theory::attempt<NotProved>([&] {
      bool holds = false;
      with_generators(context, depth, ell, [&](const TailDomain& domain) { holds = claim(domain); });
      return holds;
    });
    if (proved && *proved) return true;
  }
  return false;
}

Range on_half_line(const Expr& expression, const Rational& from, const Context& context) {
  return over_block(expression, block(from, std::nullopt, kSearchBits), kSearchBits, context.budget());
}

}  // namespace

bool surely_below(const Expr& expression, const Rational& bound, const Rational& from,
                  const Context& context) {
  const Range range = on_half_line(expression, from, context);
  if (range.defined && range.high.is_finite() &&
      range.high.surely_less(Ball(bound, kSearchBits).lower(kSearchBits)))
    return true;
  return on_some_domain(from, context, [&](const TailDomain& domain) {
    return tail_form(Expr(bound) - expression, domain).surely_positive();
  });
}

bool surely_defined(const Expr& expression, const Rational& from, const Context& context) {
  if (on_half_line(expression, from, context).defined) return true;
  return on_some_domain(from, context, [&](const TailDomain& domain) {
    tail_form(expression, domain);
    return true;
  });
}

bool surely_falls(const Expr& g, const Rational& rate, const Rational& from, const Context& context) {
  const auto falls = [&] {
    return surely_below(theory::derivative(g, theory::kIndex), -rate, from, context) &&
           surely_defined(g, from, context);
  };
  return theory::attempt_in_time(falls).value_or(false);
}

std::optional<Rational> rate_of_fall(const Expr& g, const Rational& from, const Ball& here, long bits,
                                     const Context& context) {
  const auto rate = [&]() -> std::optional<Rational> {
    const Expr slope = theory::derivative(g, theory::kIndex);
    const Ball steepness = evaluate(slope, {{theory::kIndex, here}}, bits);
    const Rational steep(1 << 20);  // more is never needed, and may be too large to write down
    Rational sigma = steep;
    if (!steepness.surely_less(Ball(-steep, 64))) {
      const auto ends = steepness.ends();
      if (!ends || ends->high.sign() >= 0) return std::nullopt;
      sigma = -ends->high * Rational(3, 4);
    }
    // short, and still below the slope: rounded down to a binary place that keeps most of it
    const std::int64_t smallness = sigma.denominator().bits() - sigma.numerator().bits();
    const Rational place = Rational(2).pow(std::max<std::int64_t>(20, 20 + smallness));
    sigma = (sigma * place).floor() / place;
    if (sigma.sign() <= 0 || !surely_falls(g, sigma, from, context)) return std::nullopt;
    return sigma;
  };
  return theory::attempt_in_time(rate).value_or(std::nullopt);
}

Context context_from(const Rational& from, const Context& base) {
  Context context(base);
  context.set_facts([from](const theory::Form& form) -> std::optional<int> {
    const Range range = over_block(theory::to_expr(form), block(from, std::nullopt, 64), 64);
    if (!range.defined) return std::nullopt;
    if (range.surely_positive()) return 1;
    if (range.surely_negative()) return -1;
    return std::nullopt;
  });
  return context;
}

}  // namespace gpe::checks
