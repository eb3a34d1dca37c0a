#include "theory/properties/temperature.h"

#include "theory/asymptotics/limit.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"

namespace gpe::theory {

namespace {

const Expr kKeys = log(Expr::symbol(kIndex));

// "x -> 2"; where only bounds of its limits are known, "x has limits of at most 2", or "of at least".
std::string has_limits_at_most(const std::string& x, const LimitBounds& bounds) {
  return x + (bounds.settled() ? " -> " : " has limits of at most ") + to_text(bounds.high);
}
std::string has_limits_at_least(const std::string& x, const LimitBounds& bounds) {
  return x + (bounds.settled() ? " -> " : " has limits of at least ") + to_text(bounds.low);
}

// Where the limit of `size`, which grows with T, is below 1, H/log n has limits of at least `share`, and
// where it is not, 0.
Decision below_one(const Expr& size, const std::string& share, const Context& context) {
  const LimitBounds bounds = limit(size, context);
  const Limit one{Limit::Kind::finite, Form(Rational(1))};
  const std::string name = "t = " + to_text(size);
  const Limit zero{Limit::Kind::finite, Form(0)};
  if (compare(bounds.high, zero, context) <= 0)
    return holds("H/log n -> 1: " + has_limits_at_most(name, bounds));
  if (compare(bounds.high, one, context) < 0)
    return holds("H/log n has limits of at least " + share + " > 0: " + has_limits_at_most(name, bounds));
  if (compare(bounds.low, one, context) >= 0)
    return fails("H/log n -> 0: " + has_limits_at_least(name, bounds));
  throw Undecided(name + " has no settled limit");
}

// P(T x > y) = e^(-rate y/T): sums of e^(T x) have a mean where T < rate.
Decision exponential(const Expr& temperature, const Expr& rate, const Context& context) {
  const LimitBounds bounds = limit(temperature / rate, context);
  const Limit one{Limit::Kind::finite, Form(Rational(1))};
  if (compare(bounds.high, one, context) < 0)
    return holds("H/log n -> 1: " + has_limits_at_most("T/rate", bounds));
  if (compare(bounds.low, one, context) > 0)
    return fails("H/log n -> 0, as the largest keys take all the weight: " +
                 has_limits_at_least("T/rate", bounds));
  if (eventual_sign(rate - temperature, context) >= 0)
    return holds("H/log n has limits of at least 1/2: T <= rate in the end");
  throw Undecided("T tends to the critical temperature, the rate, from above");
}

}  // namespace

Decision decide_dispersion(ScoreLaw law, const Expr& temperature, const Expr& parameter,
                           const Context& context) {
  if (!parameter.mentions(kIndex) && context.sign(to_form(parameter, context)) <= 0)
    throw Undecided(to_text(parameter) + " is not positive");
  if (parameter.mentions(kIndex)) throw Undecided(to_text(parameter) + " depends on n");
  const int sign = eventual_sign(temperature, context);
  if (sign < 0) throw Undecided("a temperature that is negative far out");
  if (sign == 0) return holds("T = 0 in the end, and H = log n");
  switch (law) {
    case ScoreLaw::gaussian:
      return below_one(temperature * temperature * parameter * parameter / (Expr(2) * kKeys), "1 - t",
                       context);
    case ScoreLaw::edge:
      return below_one(parameter * log(temperature) / kKeys, "1 - t", context);
    case ScoreLaw::exponential:
      return exponential(temperature, parameter, context);
    case ScoreLaw::worst:
      return below_one(Expr(2) * temperature * parameter / kKeys, "1 - t", context);
    case ScoreLaw::one_above: {
      const LimitBounds lead = limit(temperature * parameter - kKeys, context);
      if (lead.high.kind != Limit::Kind::plus_infinity)
        return holds("the one key's weight stays below 1: " +
                     has_limits_at_most("T times its lead, less log n,", lead));
      if (lead.low.kind == Limit::Kind::plus_infinity) return fails("the one key's weight tends to 1");
      throw Undecided("it is not settled whether the one key's weight tends to 1");
    }
  }
  return {};
}

}  // namespace gpe::theory
