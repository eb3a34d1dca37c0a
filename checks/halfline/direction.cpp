#include "checks/halfline/direction.h"

#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/arb/range.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/pieces.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Function;
using theory::Rational;

namespace {

struct Ways {  // both for what is constant, neither for what is not known
  bool never_rises = false;
  bool never_falls = false;
};

Ways turned(const Ways& w) { return {w.never_falls, w.never_rises}; }

class Direction {
 public:
  Direction(const Rational& from, const Context& context) : from_(from), context_(context) {}

  Ways of(const Expr& e) const {
    if (!e.mentions(theory::kIndex)) return {true, true};
    if (!has_choices(e)) {
      const Ways by_slope = smooth(e);
      if (by_slope.never_rises || by_slope.never_falls) return by_slope;
    }
    if (const auto* sum = e.as<theory::node::Add>()) return together(sum->terms);
    if (const auto* product = e.as<theory::node::Mul>()) return of_product(*product);
    if (const auto* power = e.as<theory::node::Pow>()) return of_power(*power);
    const auto* call = e.as<theory::node::Call>();
    if (call == nullptr) return {};
    switch (call->function) {
      case Function::floor:
      case Function::exp:
      case Function::log:
      case Function::atan:
      case Function::min:
      case Function::max:
        return together(call->arguments);
      case Function::erfc:
        return turned(of(call->arguments.front()));
      default:
        return {};
    }
  }

 private:
  Ways together(const std::vector<Expr>& parts) const {
    Ways all{true, true};
    for (const Expr& part : parts) {
      const Ways one = of(part);
      all = {all.never_rises && one.never_rises, all.never_falls && one.never_falls};
    }
    return all;
  }

  Ways smooth(const Expr& e) const {
    const auto below_zero = [&](const Expr& slope) {
      return theory::attempt_in_time([&] { return surely_below(slope, Rational(0), from_, context_); })
          .value_or(false);
    };
    const auto slope = theory::attempt_in_time(
        [&] { return simplify(theory::derivative(e, theory::kIndex), context_from(from_, context_)); });
    if (!slope || !surely_defined(e, from_, context_)) return {};
    if (slope->is_number(0)) return {true, true};
    const bool falls = below_zero(*slope);
    return {falls, !falls && below_zero(-*slope)};
  }

  // A closed factor times one that moves, or several that are not negative.
  Ways of_product(const theory::node::Mul& product) const {
    std::vector<Expr> closed, moving;
    for (const Expr& factor : product.factors)
      (factor.mentions(theory::kIndex) ? moving : closed).push_back(factor);
    if (moving.size() > 1 && !std::ranges::all_of(moving, [&](const Expr& x) { return not_negative(x); }))
      return {};
    return times(evaluate(mul(closed), {}, kSearchBits), together(moving));
  }

  // Of what is not negative, to a closed exponent.
  Ways of_power(const theory::node::Pow& power) const {
    if (power.exponent.mentions(theory::kIndex)) return {};
    if (!not_negative(power.base)) return {};
    return times(evaluate(power.exponent, {}, kSearchBits), of(power.base));
  }

  bool not_negative(const Expr& e) const {
    const Range values =
        over_block(e, block(from_, std::nullopt, kSearchBits), kSearchBits, context_.budget());
    return values.defined && values.surely_nonnegative();
  }

  static Ways times(const Ball& factor, const Ways& ways) {
    if (factor.surely_positive()) return ways;
    return factor.surely_negative() ? turned(ways) : Ways{};
  }

  Rational from_;
  const Context& context_;
};

}  // namespace

bool surely_never_rises(const Expr& e, const Rational& from, const Context& context) {
  return theory::attempt_in_time([&] { return Direction(from, context).of(e).never_rises; }).value_or(false);
}

}  // namespace gpe::checks
