// Tests: tests/checks/sums/family_bounds_test.cpp
#include "checks/sums/family/family_tail.h"
#include "checks/arb/precision.h"

namespace gpe::checks {

namespace {

// The smaller of two upper bounds, either of which may be unknown.
Ball smaller(const Ball& a, const Ball& b) {
  if (!a.is_finite()) return b;
  if (!b.is_finite()) return a;
  return min(a.upper(kBoundBits), b.upper(kBoundBits), kBoundBits);
}

}  // namespace

Moments tail_of_integral(const ExponentialPower& family, const Ball& x, const Ball& root) {
  const BallExponents a(family, kBoundBits);
  const Ball decay = a.decay(x, root);
  Ball z = Ball::unknown();
  Ball d = Ball::unknown();
  if (family.delta.sign() > 0) {  // f(x + s) <= f(x) e^{-δs}
    z = div(Ball(1), a.delta, kBoundBits);
    d = mul(z, add(x, z, kBoundBits), kBoundBits);
  }
  if (family.gamma.sign() > 0) {  // 2 t h(t), h(T + s) <= h(T) e^{-γs}
    const Ball r = div(Ball(1), mul(a.gamma, root, kBoundBits), kBoundBits);
    const auto line = [&](const Ball& y, std::int64_t c) {  // 1 + c r y
      return add(Ball(1), mul(Ball(c), mul(r, y, kBoundBits), kBoundBits), kBoundBits);
    };
    const Ball lead = mul(Ball(2), mul(x, r, kBoundBits), kBoundBits);
    z = smaller(z, mul(lead, line(Ball(1), 1), kBoundBits));
    const Ball nested = line(line(line(Ball(1), 1), 2), 3);  // 1 + 3r + 6r² + 6r³
    d = smaller(d, mul(mul(lead, x, kBoundBits), nested, kBoundBits));
  }
  const Ball f = exp(neg(decay), kBoundBits);
  Moments result;
  result.z = mul(f, z, kBoundBits).upper(kBoundBits);
  result.d = mul(f, d, kBoundBits).upper(kBoundBits);
  result.s = mul(div(decay, x, kBoundBits), result.d, kBoundBits).upper(kBoundBits);  // -A(y)/y decreases
  return result;
}

Moments tail_of_sum(const ExponentialPower& family, const Integer& x) {
  const Ball at = x.ball();
  const Ball root = sqrt(at, kBoundBits);
  const BallExponents a(family, kBoundBits);
  Moments result = tail_of_integral(family, at, root);
  const Ball decay = a.decay(at, root);
  const Ball f = exp(neg(decay), kBoundBits);
  result.z = add(result.z, f, kBoundBits).upper(kBoundBits);
  // x f(x) decreases where x·(-A'(x)) = δx + βx/(1 + x) + γ sqrt(x)/2 >= 1, which grows with x
  const Ball slope = add(
      add(mul(a.delta, at, kBoundBits), div(mul(a.gamma, root, kBoundBits), Ball(2), kBoundBits), kBoundBits),
      div(mul(a.beta, at, kBoundBits), add(at, Ball(1), kBoundBits), kBoundBits), kBoundBits);
  if (!Ball(1).surely_at_most(slope)) {
    result.s = result.d = Ball::unknown();
    return result;
  }
  result.d = add(result.d, mul(at, f, kBoundBits), kBoundBits).upper(kBoundBits);
  result.s = mul(div(decay, at, kBoundBits), result.d, kBoundBits).upper(kBoundBits);
  return result;
}

}  // namespace gpe::checks
