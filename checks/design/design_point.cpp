#include "checks/design/design_point.h"
// Tests: tests/checks/design/design_test.cpp
#include "checks/arb/expr_ball.h"
#include "checks/certificate/number_certificate.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

const Sums& DesignPoint::sums() {
  if (!sums_) sums_ = enclose_sums(law_, digits_, context_);
  return *sums_;
}

const PartialSum& DesignPoint::up_to(const Rational& n) {
  const auto known = partial_.find(n);
  if (known != partial_.end()) return known->second;
  return partial_.emplace(n, enclose_partial_sum(law_, n - Rational(law_.first), digits_, context_))
      .first->second;
}

DesignPoint& DesignPoint::with(const Expr& content) {
  for (const auto& [known, point] : with_) {
    if (known == content) return *point;
  }
  theory::ScoreFunction law = law_;
  law.bias = law.bias + content;
  with_.emplace_back(content, std::make_unique<DesignPoint>(std::move(law), digits_, context_));
  return *with_.back().second;
}

bool DesignPoint::bernstein() {
  if (!bernstein_) {
    Expr number(0);
    bernstein_ = or_undecided([&] {
      return is_bernstein(law_.bias, Expr(-1), theory::context_for(law_, {}, context_), false, number);
    });
  }
  return *bernstein_;
}

std::optional<Rational> DesignPoint::far() {
  constexpr std::int64_t kFarthest = 1 << 16;
  if (far_) return *far_;
  far_.emplace();
  const theory::Context context = theory::context_for(law_, {}, context_);
  for (std::int64_t n = 4; n <= kFarthest && !*far_; n *= 2) {
    const auto over = bias_against(n, -1);
    if (over && *over <= 0 && or_undecided([&] { return surely_falls(law_.bias, 0, n, context); })) *far_ = n;
  }
  return *far_;
}

std::optional<int> DesignPoint::bias_against(const Rational& n, const Rational& value) const {
  const Expr difference = substitute(law_.bias, theory::kIndex, Expr(n)) - Expr(value);
  const Ball quick = evaluate(difference, {}, bits());
  if (quick.surely_positive() || quick.surely_negative()) return quick.surely_positive() ? 1 : -1;
  return attempt_all([&] { return context_.sign(theory::to_form(difference, context_)); }).if_known();
}

Ball DesignPoint::bias(const Rational& n) const {
  const long all = bits() + static_cast<long>(n.bits());
  return evaluate(law_.bias, {{theory::kIndex, Ball(n, all)}}, all);
}

Ball DesignPoint::weight(const Rational& n) const { return exp(bias(n), bits()); }

}  // namespace gpe::checks
