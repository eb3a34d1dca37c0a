#include "checks/arb/ball.h"

#include <acb.h>
#include <arb_hypgeom.h>

#include "checks/arb/result_of.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr slong kExponentLimit = slong{1} << 20;
constexpr slong kLargestExponent = slong{1} << 16;

// The exact value, or the nearest representable number outward; `outward` is -1 for a lower end, 1 for an
// upper.
std::optional<Rational> exact(const arf_t value, int outward) {
  if (arf_is_finite(value) == 0) return std::nullopt;
  Rational result;
  if (arf_is_zero(value) != 0) return result;
  if (arf_cmpabs_2exp_si(value, kExponentLimit) > 0) return std::nullopt;
  if (arf_cmpabs_2exp_si(value, -kExponentLimit) < 0) {
    const int sign = arf_sgn(value);
    return sign == outward ? Rational(sign) * Rational(2).pow(-kExponentLimit) : Rational(0);
  }
  arf_get_fmpq(result.raw(), value);
  return result;
}

}  // namespace

Ball Ball::pi(long bits) { return result_of<Ball>(arb_const_pi, bits); }

Ball Ball::hull(const Ball& a, const Ball& b, long bits) {
  Ball result;
  arb_union(result.value_, a.value_, b.value_, bits);
  const bool not_negative = a.surely_nonnegative() && b.surely_nonnegative();
  if (!not_negative || !result.is_finite()) return result;
  if (result.surely_nonnegative() && !a.surely_zero() && !b.surely_zero()) return result;
  // A radius has 30 bits: what is not negative stays so, as midpoint and radius are the same number.
  mag_t other;
  mag_init(other);
  arb_get_mag(arb_radref(result.value_), a.value_);
  arb_get_mag(other, b.value_);
  mag_max(arb_radref(result.value_), arb_radref(result.value_), other);
  mag_clear(other);
  mag_mul_2exp_si(arb_radref(result.value_), arb_radref(result.value_), -1);
  arf_set_mag(arb_midref(result.value_), arb_radref(result.value_));
  return result;
}

Ball Ball::unknown() {
  Ball result;
  arb_indeterminate(result.value_);
  return result;
}

std::optional<theory::RationalInterval> Ball::ends() const {
  arf_t low;
  arf_t high;
  arf_init(low);
  arf_init(high);
  // exact, unless the radius is out of all proportion to the midpoint
  arb_get_interval_arf(low, high, value_, arf_bits(arb_midref(value_)) + 4096);
  const auto bottom = exact(low, -1);
  const auto top = exact(high, 1);
  arf_clear(low);
  arf_clear(high);
  if (!bottom || !top) return std::nullopt;
  return theory::RationalInterval{*bottom, *top};
}

Ball Ball::lower(long bits) const {
  Ball result;
  arb_get_lbound_arf(arb_midref(result.value_), value_, bits);
  return result;
}

Ball Ball::upper(long bits) const {
  Ball result;
  arb_get_ubound_arf(arb_midref(result.value_), value_, bits);
  return result;
}

Ball Ball::mid() const { return result_of<Ball>(arb_get_mid_arb, value_); }

Ball Ball::widened(const Ball& error) const {
  Ball result(*this);
  arb_add_error(result.value_, error.value_);
  return result;
}

double Ball::approximate() const { return arf_get_d(arb_midref(value_), ARF_RND_NEAR); }

Ball add(const Ball& a, const Ball& b, long bits) { return result_of<Ball>(arb_add, a.raw(), b.raw(), bits); }
Ball sub(const Ball& a, const Ball& b, long bits) { return result_of<Ball>(arb_sub, a.raw(), b.raw(), bits); }
Ball mul(const Ball& a, const Ball& b, long bits) { return result_of<Ball>(arb_mul, a.raw(), b.raw(), bits); }
Ball div(const Ball& a, const Ball& b, long bits) { return result_of<Ball>(arb_div, a.raw(), b.raw(), bits); }
Ball neg(const Ball& a) { return result_of<Ball>(arb_neg, a.raw()); }
Ball abs(const Ball& a) { return result_of<Ball>(arb_abs, a.raw()); }
Ball sqrt(const Ball& a, long bits) { return result_of<Ball>(arb_sqrt, a.raw(), bits); }
Ball exp(const Ball& a, long bits) {
  Ball result;
  // arguments beyond 2^bits, whose exponentials Arb does not enclose tightly at that precision
  const slong size = arf_abs_bound_lt_2exp_si(arb_midref(a.raw()));
  if (size > bits / 4 && size < kLargestExponent) {
    arb_exp(result.raw(), a.raw(), bits + size);
    arb_set_round(result.raw(), result.raw(), bits);
  } else {
    arb_exp(result.raw(), a.raw(), bits);
  }
  return result;
}
Ball log(const Ball& a, long bits) { return result_of<Ball>(arb_log, a.raw(), bits); }
Ball log1p(const Ball& a, long bits) { return result_of<Ball>(arb_log1p, a.raw(), bits); }
Ball sin(const Ball& a, long bits) { return result_of<Ball>(arb_sin, a.raw(), bits); }
Ball cos(const Ball& a, long bits) { return result_of<Ball>(arb_cos, a.raw(), bits); }
Ball floor(const Ball& a, long bits) { return result_of<Ball>(arb_floor, a.raw(), bits); }
Ball atan(const Ball& a, long bits) { return result_of<Ball>(arb_atan, a.raw(), bits); }
Ball erfc(const Ball& a, long bits) { return result_of<Ball>(arb_hypgeom_erfc, a.raw(), bits); }

Ball lgamma(const Ball& a, long bits) {
  return a.surely_positive() ? result_of<Ball>(arb_lgamma, a.raw(), bits) : Ball::unknown();
}

Ball polygamma(const Ball& order, const Ball& a, long bits) {
  if (!a.surely_positive()) return Ball::unknown();
  if (order.surely_zero()) return result_of<Ball>(arb_digamma, a.raw(), bits);
  acb_t m, z;
  acb_init(m);
  acb_init(z);
  arb_set(acb_realref(m), order.raw());
  arb_set(acb_realref(z), a.raw());
  acb_polygamma(z, m, z, bits);
  const Ball result = result_of<Ball>(arb_set, acb_realref(z));
  acb_clear(m);
  acb_clear(z);
  return result;
}

Ball min(const Ball& a, const Ball& b, long bits) { return result_of<Ball>(arb_min, a.raw(), b.raw(), bits); }
Ball max(const Ball& a, const Ball& b, long bits) { return result_of<Ball>(arb_max, a.raw(), b.raw(), bits); }

Ball pow(const Ball& base, const Ball& exponent, long bits) {
  Ball result;
  if (base.surely_zero()) {  // 0^p = 0 for p > 0
    return exponent.surely_positive() ? Ball(0) : Ball::unknown();
  }
  arb_pow(result.raw(), base.raw(), exponent.raw(), bits);
  return result;
}

Ball pow(const Ball& base, const Rational& exponent, long bits) {
  if (const auto whole = exponent.to_int64(); whole && *whole > 0) {
    return result_of<Ball>(arb_pow_ui, base.raw(), static_cast<ulong>(*whole), bits);
  }
  if (exponent == Rational(-1)) return div(Ball(1), base, bits);
  if (exponent == Rational(1, 2)) return sqrt(base, bits);
  if (base.surely_zero()) return exponent.sign() > 0 ? Ball(0) : Ball::unknown();
  return result_of<Ball>(arb_pow_fmpq, base.raw(), exponent.raw(), bits);
}

}  // namespace gpe::checks
