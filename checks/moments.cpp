#include "checks/moments.h"

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

bool small_beside(const Moments& errors, const Moments& sizes, long bits, Wanted wanted) {
  const auto small = [bits](const Ball& error, const Ball& size) {
    Ball limit = size;
    arb_mul_2exp_si(limit.raw(), limit.raw(), -bits);
    return error.is_finite() && error.surely_at_most(limit);
  };
  return small(errors.z, sizes.z) && (!wanted.s || small(errors.s, sizes.s)) &&
         (!wanted.d || small(errors.d, sizes.d));
}

Moments with_rest(const Moments& a, const Moments& rest, Wanted wanted, long bits) {
  Moments result = a;
  result.z = Ball::hull(a.z, add(a.z, rest.z, bits), bits);
  if (wanted.s) result.s = Ball::hull(a.s, sub(a.s, rest.s, bits), bits);
  if (wanted.d) result.d = Ball::hull(a.d, add(a.d, rest.d, bits), bits);
  return result;
}

Ball entropy_of(const Moments& moments, long bits) {
  return sub(log(moments.z, bits), div(moments.s, moments.z, bits), bits);
}

}  // namespace gpe::checks
