#include "theory/growth.h"

#include "theory/convergence.h"
#include "theory/form_expr.h"
#include "theory/germ.h"
#include "theory/limit.h"
#include "theory/property.h"

namespace gpe::theory {

namespace {

const Expr kL = Expr::symbol(kLength);

// The part of the score that does not tend to 0, when its expansion has few such terms; else the score
// itself.
Expr leading_part(const Expr& score, const Context& context) {
  Expr part(0);
  try {
    for (const Expr& term : dominant_terms(score, 8, context)) {
      if (limit(term, context).high.kind == Limit::Kind::finite && to_form(term, context).mentions(kIndex))
        return part;
      part = part + term;
    }
    const LimitBounds rest = limit(score - part, context);
    if (rest.settled() && rest.low.kind == Limit::Kind::finite && context.is_zero(rest.low.value))
      return part;
  } catch (const Undecided&) {
  }
  return score;
}

Expr at_length(const Expr& e) { return substitute(e, kIndex, kL); }

}  // namespace

GrowthLaws growth_laws(const Expr& score, const Context& context) {
  GrowthLaws result;
  try {
    if (decide_sum(score, context).converges) {
      return result;  // H_L may still tend to infinity, slower than any law here
    }
    if (!has_expansion(score, context)) return result;  // the laws are about functions of a Hardy field
    const LimitBounds index = limit(score / log(Expr::symbol(kIndex)), context);
    if (!index.settled()) return result;
    if (index.low.kind == Limit::Kind::finite) {
      const Form one_plus_a = index.low.value + Form(1);
      const Expr part = leading_part(score, context);
      if (context.sign(one_plus_a) > 0) {  // e^A regularly varying of index a > -1
        const Expr share = to_expr(one_plus_a);
        result.z = simplify(kL * exp(at_length(part)) / share, context);
        result.entropy = simplify(log(kL) - log(share) + Expr(1) - Expr(1) / share, context);
        return result;
      }
      if (context.is_zero(one_plus_a)) {
        const LimitBounds rest = limit(score + log(Expr::symbol(kIndex)), context);
        if (rest.settled() && rest.low.kind == Limit::Kind::finite) {  // A = c - log n + o(1)
          result.z = simplify(exp(to_expr(rest.low.value)) * log(kL), context);
          result.entropy = Expr(Rational(1, 2)) * log(kL) + log(log(kL));
        }
      }
      return result;
    }
    // A grows faster than any multiple of log n
    const LimitBounds slope = limit(score / Expr::symbol(kIndex), context);
    if (!slope.settled() || sign(index.low, context) < 0) return result;
    if (slope.low.kind == Limit::Kind::finite && context.sign(slope.low.value) > 0) {
      // the increments tend to s > 0: a geometric series seen from its end
      const Expr s = to_expr(slope.low.value);
      const Expr r = exp(-s);
      result.z = simplify(exp(at_length(leading_part(score, context))) / (Expr(1) - r), context);
      result.entropy = simplify(s * r / (Expr(1) - r) - log(Expr(1) - r), context);
    }
  } catch (const Undecided&) {
  } catch (const Undefined&) {
  }
  return result;
}

}  // namespace gpe::theory
