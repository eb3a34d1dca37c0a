// Exact rational numbers: a value type over FLINT's fmpq. Nothing in theory/ decides by anything less exact.
#pragma once

#include <flint/fmpq.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpe::theory {

class Rational {
 public:
  Rational() noexcept { fmpq_init(value_); }
  Rational(std::int64_t integer) : Rational() {
    fmpq_set_si(value_, integer, 1);
  }                                                                        // NOLINT: a number is a number
  Rational(int integer) : Rational(static_cast<std::int64_t>(integer)) {}  // NOLINT
  /// numerator/denominator, reduced. @pre denominator != 0.
  Rational(std::int64_t numerator, std::int64_t denominator);
  Rational(const Rational& other) : Rational() { fmpq_set(value_, other.value_); }
  Rational(Rational&& other) noexcept : Rational() { fmpq_swap(value_, other.value_); }
  Rational& operator=(const Rational& other) {
    if (this != &other) fmpq_set(value_, other.value_);
    return *this;
  }
  Rational& operator=(Rational&& other) noexcept {
    fmpq_swap(value_, other.value_);
    return *this;
  }
  ~Rational() { fmpq_clear(value_); }

  /// Reads "12", "-3/4", "0.1", ".5", "1e-3", "2.5e2". nullopt when the text is anything else, when the
  /// denominator is zero, or when the number has more than `max_digits` digits written out.
  static std::optional<Rational> parse(std::string_view text, int max_digits = 20000);

  bool is_zero() const { return fmpq_is_zero(value_) != 0; }
  bool is_one() const { return fmpq_is_one(value_) != 0; }
  bool is_integer() const { return fmpz_is_one(fmpq_denref(value_)) != 0; }
  bool is_even_integer() const { return is_integer() && fmpz_is_even(fmpq_numref(value_)) != 0; }
  int sign() const { return fmpq_sgn(value_); }
  /// Bits of the larger of numerator and denominator.
  std::int64_t bits() const { return static_cast<std::int64_t>(fmpq_height_bits(value_)); }
  std::optional<std::int64_t> to_int64() const;
  std::size_t hash() const;
  /// "-3/4"; integers without a denominator.
  std::string str() const;
  /// A nearby double, for display and for choosing where to look; never for a decision.
  double approximate() const;

  Rational numerator() const;
  Rational denominator() const;
  Rational floor() const;
  Rational ceil() const;
  Rational abs() const;
  /// @pre not zero.
  Rational inverse() const;
  /// @pre not (zero and exponent < 0).
  Rational pow(std::int64_t exponent) const;

  Rational& operator+=(const Rational& other);
  Rational& operator-=(const Rational& other);
  Rational& operator*=(const Rational& other);
  /// @pre other is not zero.
  Rational& operator/=(const Rational& other);
  friend Rational operator+(Rational a, const Rational& b) { return std::move(a += b); }
  friend Rational operator-(Rational a, const Rational& b) { return std::move(a -= b); }
  friend Rational operator*(Rational a, const Rational& b) { return std::move(a *= b); }
  friend Rational operator/(Rational a, const Rational& b) { return std::move(a /= b); }
  friend Rational operator-(Rational a) {
    fmpq_neg(a.value_, a.value_);
    return a;
  }
  friend bool operator==(const Rational& a, const Rational& b) { return fmpq_equal(a.value_, b.value_) != 0; }
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
    return fmpq_cmp(a.value_, b.value_) <=> 0;
  }

  /// The FLINT object, for the one file that needs it (balls in checks/).
  const fmpq* raw() const { return value_; }
  fmpq* raw() { return value_; }

 private:
  fmpq_t value_;
};

/// The rational with the least denominator in [low, high], and of these the one next to 0. @pre low <= high
Rational simplest_between(const Rational& low, const Rational& high);

/// The prime factorization of a positive rational: base → integer exponent, bases in increasing order.
struct PrimePower {
  Rational base;      ///< a prime below 2^64, or a cofactor whose primes are unknown
  Rational exponent;  ///< nonzero integer
  bool proved_prime;  ///< false for an unfactored cofactor
};
/// @param positive  > 0. Cofactors beyond 64 bits without a factor below 2^14 stay whole.
std::vector<PrimePower> factor(const Rational& positive);

}  // namespace gpe::theory
