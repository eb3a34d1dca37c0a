// Tests: tests/checks/sums/family_bounds_test.cpp
#include "checks/sums/family/family_tail.h"

namespace gpe::checks {

namespace {

constexpr long kBits = 64;

// The smaller of two upper bounds, either of which may be unknown.
Ball smaller(const Ball& a, const Ball& b) {
  if (!a.is_finite()) return b;
  if (!b.is_finite()) return a;
  return min(a.upper(kBits), b.upper(kBits), kBits);
}

}  // namespace

Moments tail_of_integral(const ExponentialPower& family, const Ball& x, const Ball& root) {
  const BallExponents a(family, kBits);
  const Ball decay = a.decay(x, root);
  Ball z = Ball::unknown();
  Ball d = Ball::unknown();
  if (family.delta.sign() > 0) {  // f(x + s) <= f(x) e^{-δs}
    z = div(Ball(1), a.delta, kBits);
    d = mul(z, add(x, z, kBits), kBits);
  }
  if (family.gamma.sign() > 0) {  // 2 t h(t), h(T + s) <= h(T) e^{-γs}
    const Ball r = div(Ball(1), mul(a.gamma, root, kBits), kBits);
    const auto line = [&](const Ball& y, std::int64_t c) {  // 1 + c r y
      return add(Ball(1), mul(Ball(c), mul(r, y, kBits), kBits), kBits);
    };
    const Ball lead = mul(Ball(2), mul(x, r, kBits), kBits);
    z = smaller(z, mul(lead, line(Ball(1), 1), kBits));
    const Ball nested = line(line(line(Ball(1), 1), 2), 3);  // 1 + 3r + 6r² + 6r³
    d = smaller(d, mul(mul(lead, x, kBits), nested, kBits));
  }
  const Ball f = exp(neg(decay), kBits);
  Moments result;
  result.z = mul(f, z, kBits).upper(kBits);
  result.d = mul(f, d, kBits).upper(kBits);
  result.s = mul(div(decay, x, kBits), result.d, kBits).upper(kBits);  // -A(y)/y decreases
  return result;
}

Moments tail_of_sum(const ExponentialPower& family, const Integer& x) {
  const Ball at = x.ball();
  const Ball root = sqrt(at, kBits);
  const BallExponents a(family, kBits);
  Moments result = tail_of_integral(family, at, root);
  const Ball decay = a.decay(at, root);
  const Ball f = exp(neg(decay), kBits);
  result.z = add(result.z, f, kBits).upper(kBits);
  // x f(x) decreases where x·(-A'(x)) = δx + βx/(1 + x) + γ sqrt(x)/2 >= 1, which grows with x
  const Ball slope = add(add(mul(a.delta, at, kBits), div(mul(a.gamma, root, kBits), Ball(2), kBits), kBits),
                         div(mul(a.beta, at, kBits), add(at, Ball(1), kBits), kBits), kBits);
  if (!Ball(1).surely_at_most(slope)) {
    result.s = result.d = Ball::unknown();
    return result;
  }
  result.d = add(result.d, mul(at, f, kBits), kBits).upper(kBits);
  result.s = mul(div(decay, at, kBits), result.d, kBits).upper(kBits);
  return result;
}

}  // namespace gpe::checks
