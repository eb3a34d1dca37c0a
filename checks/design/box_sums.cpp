#include "checks/design/box_sums.h"
// Tests: tests/checks/design/design_test.cpp
#include "checks/arb/expr_ball.h"

namespace gpe::checks {

using theory::Rational;

namespace {

// Bounds of the entropy over the box, of the tokens up to `last` (none: all), where biases may rise with n:
// each −b(n) is between those of the corners. Terms up to `last`, or one by one until −b >= 1 at both.
Ball entropy_between(const BoxCorners& at, const std::optional<Rational>& last) {
  const long bits = at.flat.bits();
  std::optional<Rational> end = last;
  if (!last) {
    if (at.flat.law().window || !at.flat.surely_finite()) return Ball::unknown();
    const auto far = at.flat.far();
    if (!far) return Ball::unknown();
    end = *far - Rational(1);
  }
  if (at.flat.ends_before(*end) || *end > Rational(kMaxTerms)) return Ball::unknown();
  Ball s(0);
  for (Rational n(at.flat.law().first); n <= *end; n += Rational(1)) {
    const Ball high = at.flat.bias(n), low = at.steep.bias(n), b = Ball::hull(low, high, bits);
    s = sub(s, mul(b, Ball::hull(exp(low, bits), exp(high, bits), bits), bits), bits);
  }
  const auto total = [&](DesignPoint& point) { return last ? point.up_to(*last).z : point.sums().z.value; };
  if (!last) {
    const auto beyond = [&](DesignPoint& point) {  // Σ −b e^b over n > end
      const auto moment = [&](const Ball& z, const Ball& entropy) {
        return mul(z, sub(entropy, log(z, bits), bits), bits);
      };
      const PartialSum& near = point.up_to(*end);
      return sub(moment(point.sums().z.value, point.sums().entropy.value), moment(near.z, near.entropy),
                 bits);
    };
    s = add(s, Ball::hull(beyond(at.steep), beyond(at.flat), bits), bits);
  }
  const Ball z = Ball::hull(total(at.steep), total(at.flat), bits);
  return add(log(z, bits), div(s, z, bits), bits);
}

}  // namespace

Ball entropy_bound(const std::optional<Rational>& length, bool largest, const BoxCorners& at) {
  DesignPoint& worst = largest ? at.flat : at.steep;
  const Rational first(worst.law().first);
  const auto last = length ? std::optional(first + *length) : std::nullopt;
  if (!at.falls()) return entropy_between(at, last);
  if (last) return worst.up_to(*last).entropy;
  return worst.sums().entropy.finite == Finite::yes ? worst.sums().entropy.value : Ball::unknown();
}

Ball ContentSum::up_to(const Rational& n) const {
  if (same_) return mul(at_.up_to(n).z, factor(n), at_.bits());
  return at_.with(content_).up_to(n).z;
}
Ball ContentSum::beyond(const Rational& from, const Rational& to) const {
  const long bits = at_.bits();
  const Ball rest = sub(at_.sums().z.value, at_.up_to(same_ ? from : to).z, bits);
  if (same_) return mul(rest, factor(from), bits);
  const Ball near = sub(up_to(to), up_to(from), bits),
             between = Ball::hull(Ball(1), factor(to + Rational(1)), bits);
  return add(near, mul(rest, between, bits), bits);
}

Ball ContentSum::factor(const Rational& n) const {
  return exp(evaluate(content_, {{theory::kIndex, Ball(n, at_.bits())}}, at_.bits()), at_.bits());
}

}  // namespace gpe::checks
