// Certified real arithmetic: midpoint-radius balls. The one file through which checks/ reaches Arb.
#pragma once

#include <arb.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

#include "theory/exact/constant_oracle.h"
#include "theory/source/rational.h"

namespace gpe::checks {

/// A real number known to lie in [mid - rad, mid + rad]. Operations take the working precision in bits and
/// return a ball that contains every result of the operation over the operands. No conversion from double:
/// numbers enter as rationals or integers. Non-finite balls mean "unknown or undefined".
class Ball {
 public:
  Ball() { arb_init(value_); }
  explicit Ball(std::int64_t integer) : Ball() { arb_set_si(value_, integer); }
  Ball(const theory::Rational& rational, long bits) : Ball() { arb_set_fmpq(value_, rational.raw(), bits); }
  Ball(const Ball& other) : Ball() { arb_set(value_, other.value_); }
  Ball(Ball&& other) noexcept {
    arb_init(value_);
    arb_swap(value_, other.value_);
  }
  Ball& operator=(const Ball& other) {
    if (this != &other) arb_set(value_, other.value_);
    return *this;
  }
  Ball& operator=(Ball&& other) noexcept {
    arb_swap(value_, other.value_);
    return *this;
  }
  ~Ball() { arb_clear(value_); }

  static Ball pi(long bits);
  /// The smallest ball around both, in either order, up to rounding; where one is exactly 0 and none
  /// negative, it ends there.
  static Ball hull(const Ball& a, const Ball& b, long bits);
  static Ball unknown();

  bool is_finite() const { return arb_is_finite(value_) != 0; }
  bool is_exact() const { return arb_is_exact(value_) != 0; }
  /// Proved signs and orders; false means "not proved", never "the opposite holds".
  bool surely_positive() const { return arb_is_positive(value_) != 0; }
  bool surely_negative() const { return arb_is_negative(value_) != 0; }
  bool surely_zero() const { return arb_is_zero(value_) != 0; }
  bool surely_nonnegative() const { return arb_is_nonnegative(value_) != 0; }
  bool surely_nonzero() const { return arb_is_nonzero(value_) != 0; }
  bool may_be_zero() const { return arb_contains_zero(value_) != 0; }
  bool surely_less(const Ball& other) const { return arb_lt(value_, other.value_) != 0; }
  bool surely_at_most(const Ball& other) const { return arb_le(value_, other.value_) != 0; }
  bool overlaps(const Ball& other) const { return arb_overlaps(value_, other.value_) != 0; }
  bool contains(const Ball& other) const { return arb_contains(value_, other.value_) != 0; }
  bool contains(const theory::Rational& number) const { return arb_contains_fmpq(value_, number.raw()) != 0; }
  /// Bits of agreement between the ends; large negative for an uninformative ball.
  std::int64_t relative_bits() const { return arb_rel_accuracy_bits(value_); }

  /// Exact end points (outward where midpoint and radius are more than 2^4096 apart); nothing when not finite
  /// or when an end needs a binary exponent beyond 2^20 (an end closer to zero than 2^(-2^20) is moved
  /// outward to it).
  std::optional<theory::RationalInterval> ends() const;
  /// The end points as balls without radius. @pre finite.
  Ball lower(long bits) const;
  Ball upper(long bits) const;
  Ball mid() const;
  /// Adds an error bound: the result contains every x + e with |e| <= |error|.
  Ball widened(const Ball& error) const;
  /// A nearby double, for display and for choosing where to look; never for a decision.
  double approximate() const;

  const arb_struct* raw() const { return value_; }
  arb_struct* raw() { return value_; }

 private:
  arb_t value_;
};

Ball add(const Ball& a, const Ball& b, long bits);
Ball sub(const Ball& a, const Ball& b, long bits);
Ball mul(const Ball& a, const Ball& b, long bits);
Ball div(const Ball& a, const Ball& b, long bits);
Ball neg(const Ball& a);
Ball abs(const Ball& a);
Ball sqrt(const Ball& a, long bits);
Ball exp(const Ball& a, long bits);
Ball log(const Ball& a, long bits);
Ball log1p(const Ball& a, long bits);
Ball sin(const Ball& a, long bits);
Ball cos(const Ball& a, long bits);
Ball floor(const Ball& a, long bits);
Ball atan(const Ball& a, long bits);
Ball erfc(const Ball& a, long bits);
Ball lgamma(const Ball& a, long bits);  ///< unknown unless a > 0 is proved
Ball polygamma(const Ball& order, const Ball& a,
               long bits);  ///< unknown unless a > 0 is proved; order: a whole number
Ball min(const Ball& a, const Ball& b, long bits);
Ball max(const Ball& a, const Ball& b, long bits);
Ball pow(const Ball& base, const Ball& exponent, long bits);
Ball pow(const Ball& base, const theory::Rational& exponent, long bits);

}  // namespace gpe::checks
