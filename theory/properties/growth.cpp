#include "theory/properties/growth.h"

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::theory {

namespace {

const Expr kL = Expr::symbol(kLength);

// The part of the score that does not tend to 0, when its expansion has few such terms; else the score
// itself.
Expr leading_part(const Expr& score, const Context& context) {
  const auto leading = [&] {
    Expr part(0);
    for (const Expr& term : dominant_terms(score, 8, context)) {
      if (limit(term, context).high.kind == Limit::Kind::finite && to_form(term, context).mentions(kIndex))
        return part;
      part = part + term;
    }
    const LimitBounds rest = limit(score - part, context);
    if (rest.settled() && rest.low.kind == Limit::Kind::finite && context.is_zero(rest.low.value))
      return part;
    return score;
  };
  return attempt(leading).value_or(score);
}

// Whether Σ |rest(n)|/n converges.
bool summable_over_n(const Expr& rest, const Context& context) {
  const int sign = eventual_sign(rest, context);
  return sign == 0 || decide_sum(log(Expr(sign) * rest) - log(Expr::symbol(kIndex)), context).converges;
}

// A = γ - log n + o(1).
GrowthLaws harmonic(const Expr& score, const Expr& sides, const Context& context) {
  GrowthLaws result;
  const Expr shifted = score + log(Expr::symbol(kIndex));
  const LimitBounds gamma = limit(shifted, context);
  if (!gamma.settled() || gamma.low.kind != Limit::Kind::finite) return result;
  const Expr constant = to_expr(gamma.low.value);
  result.z = simplify(sides * exp(constant) * log(kL), context);
  result.entropy = Expr(Rational(1, 2)) * log(kL);
  const auto summable = attempt([&] { return summable_over_n(shifted - constant, context); });
  if (summable && *summable)  // else the first term is proved
    result.entropy = *result.entropy + log(log(kL));
  return result;
}

GrowthLaws laws_of(const ScoreFunction& law, const Context& context) {
  const Expr& score = law.bias;
  const Expr sides(law.two_sided ? 2 : 1);  // n = 0 counts once, which does not matter where Z_L -> inf
  GrowthLaws result;
  if (decide_sum(score, context).converges) return result;  // H_L may still tend to infinity, and slower
  if (!has_expansion(score, context)) return result;        // the laws are about functions of a Hardy field
  const LimitBounds index = limit(score / log(Expr::symbol(kIndex)), context);
  if (!index.settled()) return result;
  if (index.low.kind == Limit::Kind::finite) {
    const Form one_plus_a = index.low.value + Form(1);
    if (context.sign(one_plus_a) == 0) return harmonic(score, sides, context);
    if (context.sign(one_plus_a) < 0) return result;
    const Expr share = to_expr(one_plus_a);  // e^A varies regularly, of index a > -1
    const Expr part = substitute(leading_part(score, context), kIndex, kL);
    result.z = simplify(sides * kL * exp(part) / share, context);
    result.entropy = simplify(log(sides * kL) - log(share) + Expr(1) - Expr(1) / share, context);
    return result;
  }
  // A grows faster than any multiple of log n
  const LimitBounds slope = limit(score / Expr::symbol(kIndex), context);
  if (!slope.settled() || sign(index.low, context) < 0) return result;
  if (slope.low.kind == Limit::Kind::finite && context.sign(slope.low.value) > 0) {
    // the increments tend to s > 0: a geometric series seen from its end
    const Expr s = to_expr(slope.low.value);
    const Expr r = exp(-s);
    const Expr last = substitute(leading_part(score, context), kIndex, kL + Expr(law.first));
    result.z = simplify(sides * exp(last) / (Expr(1) - r), context);
    result.entropy = simplify(s * r / (Expr(1) - r) - log(Expr(1) - r) + log(sides), context);
  }
  return result;
}

}  // namespace

GrowthLaws growth_laws(const ScoreFunction& law, const Context& context) {
  if (law.window || law.bias.mentions(kLength)) return {};
  return attempt<Undecided, Undefined>([&] { return laws_of(law, context); }).value_or({});
}

}  // namespace gpe::theory
