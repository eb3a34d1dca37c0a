// Tests: tests/checks/sums/sums_test.cpp
#include "checks/sums/moments.h"

namespace gpe::checks {

Moments plus(const Moments& a, const Moments& b, long bits) {
  return {add(a.z, b.z, bits), add(a.s, b.s, bits), add(a.d, b.d, bits)};
}

Moments widened(const Moments& a, const Moments& errors) {
  return {a.z.widened(errors.z), a.s.widened(errors.s), a.d.widened(errors.d)};
}

Moments sizes(const Moments& a) {
  const auto least = [](const Ball& x) { return abs(x).lower(64); };
  return {least(a.z), least(a.s), least(a.d)};
}

bool small_beside(const Moments& errors, const Moments& sizes, long bits, WantedMoments wanted) {
  const auto small = [bits](const Ball& error, const Ball& size) {
    Ball limit = size;
    arb_mul_2exp_si(limit.raw(), limit.raw(), -bits);
    return error.is_finite() && error.surely_at_most(limit);
  };
  return small(errors.z, sizes.z) && (!wanted.s || small(errors.s, sizes.s)) &&
         (!wanted.d || small(errors.d, sizes.d));
}

Moments with_remainder(const Moments& a, const Moments& rest, WantedMoments wanted, long bits) {
  Moments result = a;
  result.z = Ball::hull(a.z, add(a.z, rest.z, bits), bits);
  if (wanted.s) result.s = Ball::hull(a.s, sub(a.s, rest.s, bits), bits);
  if (wanted.d) result.d = Ball::hull(a.d, add(a.d, rest.d, bits), bits);
  return result;
}

Moments with_score_error(const Moments& leading, const Ball& epsilon) {
  const Ball twice = mul(Ball(2), epsilon, 64);
  return widened(leading, {mul(twice, leading.z, 64), mul(twice, add(abs(leading.s), leading.z, 64), 64),
                           mul(twice, leading.d, 64)});
}

Ball entropy_of(const Moments& moments, long bits) {
  return sub(log(moments.z, bits), div(moments.s, moments.z, bits), bits);
}

}  // namespace gpe::checks
