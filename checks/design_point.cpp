#include "checks/design_point.h"

#include "checks/expr_ball.h"
#include "checks/or_undecided.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

const Sums& DesignPoint::sums() {
  if (!sums_) sums_ = enclose_sums(law_, options_, *oracle_);
  return *sums_;
}

const PartialSum& DesignPoint::up_to(const Rational& n) {
  const auto known = partial_.find(n);
  if (known != partial_.end()) return known->second;
  return partial_.emplace(n, enclose_partial_sum(law_, n - Rational(law_.first), options_, *oracle_))
      .first->second;
}

std::optional<int> DesignPoint::bias_against(const Rational& n, const Rational& value) const {
  const Expr difference = substitute(law_.bias, theory::kIndex, Expr(n)) - Expr(value);
  const Ball quick = evaluate(difference, {}, bits());
  if (quick.surely_positive() || quick.surely_negative()) return quick.surely_positive() ? 1 : -1;
  try {
    return or_undecided([&] {
      const theory::Context context(*oracle_);
      return context.sign(theory::to_form(difference, context));
    });
  } catch (const theory::Undecided&) {
    return std::nullopt;
  }
}

Ball DesignPoint::weight(const Rational& n) const {
  const long all = bits() + static_cast<long>(n.bits());
  return exp(evaluate(law_.bias, {{theory::kIndex, Ball(n, all)}}, all), bits());
}

}  // namespace gpe::checks
