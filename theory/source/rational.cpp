#include "theory/source/rational.h"

#include <flint/fmpz_factor.h>
#include <flint/ulong_extras.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <cmath>

namespace gpe::theory {

Rational::Rational(std::int64_t numerator, std::int64_t denominator) : Rational() {
  assert(denominator != 0);
  fmpz_set_si(fmpq_numref(value_), numerator);
  fmpz_set_si(fmpq_denref(value_), denominator);
  fmpq_canonicalise(value_);
}

namespace {

std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && std::isdigit(static_cast<unsigned char>(text[count])) != 0) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

Rational integer_of(const std::string& digits) {
  Rational result;
  fmpz_set_str(fmpq_numref(result.raw()), digits.c_str(), 10);
  return result;
}

}  // namespace

std::optional<Rational> Rational::parse(std::string_view text, int max_digits) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  const std::string_view whole = take_digits(text);
  std::string_view fraction;
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    fraction = take_digits(text);
  }
  if (whole.empty() && fraction.empty()) return std::nullopt;
  if (std::ssize(whole) + std::ssize(fraction) > max_digits) return std::nullopt;
  Rational result = integer_of(std::string(whole) + std::string(fraction));
  std::int64_t power = -std::ssize(fraction);
  if (!text.empty() && (text[0] == 'e' || text[0] == 'E')) {
    text.remove_prefix(1);
    bool negative_power = false;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
      negative_power = text[0] == '-';
      text.remove_prefix(1);
    }
    const std::string_view digits = take_digits(text);
    if (digits.empty() || digits.size() > 9) return std::nullopt;
    const std::int64_t exponent = std::stoll(std::string(digits));
    if (exponent > max_digits) return std::nullopt;
    power += negative_power ? -exponent : exponent;
  }
  if (std::ssize(whole) + std::ssize(fraction) + power > max_digits || 1 - power > max_digits)
    return std::nullopt;
  result *= Rational(10).pow(power);
  if (!text.empty() && text[0] == '/') {
    text.remove_prefix(1);
    const std::string_view digits = take_digits(text);
    if (digits.empty() || std::ssize(digits) > max_digits || !fraction.empty()) return std::nullopt;
    const Rational denominator = integer_of(std::string(digits));
    if (denominator.is_zero()) return std::nullopt;
    result /= denominator;
  }
  if (!text.empty()) return std::nullopt;
  return negative ? -result : result;
}

std::optional<std::int64_t> Rational::to_int64() const {
  if (!is_integer() || fmpz_fits_si(fmpq_numref(value_)) == 0) return std::nullopt;
  return fmpz_get_si(fmpq_numref(value_));
}

std::size_t Rational::hash() const {
  const ulong modulus = 0x1FFFFFFFFFFFFFFFUL;  // 2^61 − 1
  return static_cast<std::size_t>(fmpz_fdiv_ui(fmpq_numref(value_), modulus) * 1000003U ^
                                  fmpz_fdiv_ui(fmpq_denref(value_), modulus));
}

std::string Rational::str() const {
  char* text = fmpq_get_str(nullptr, 10, value_);
  std::string result(text);
  flint_free(text);
  return result;
}

double Rational::approximate() const {
  slong numerator_exponent = 0;
  slong denominator_exponent = 0;
  const double numerator = fmpz_get_d_2exp(&numerator_exponent, fmpq_numref(value_));
  const double denominator = fmpz_get_d_2exp(&denominator_exponent, fmpq_denref(value_));
  const auto exponent = std::clamp<slong>(numerator_exponent - denominator_exponent, -5000, 5000);
  return std::ldexp(numerator / denominator, static_cast<int>(exponent));
}

Rational Rational::numerator() const {
  Rational result;
  fmpz_set(fmpq_numref(result.value_), fmpq_numref(value_));
  return result;
}

Rational Rational::denominator() const {
  Rational result;
  fmpz_set(fmpq_numref(result.value_), fmpq_denref(value_));
  return result;
}

Rational Rational::floor() const {
  Rational result;
  fmpz_fdiv_q(fmpq_numref(result.value_), fmpq_numref(value_), fmpq_denref(value_));
  return result;
}

Rational Rational::ceil() const { return -(-*this).floor(); }

Rational Rational::abs() const { return sign() < 0 ? -*this : *this; }

Rational Rational::inverse() const {
  assert(!is_zero());
  Rational result;
  fmpq_inv(result.value_, value_);
  return result;
}

Rational Rational::pow(std::int64_t exponent) const {
  assert(exponent >= 0 || !is_zero());
  Rational result;
  fmpq_pow_si(result.value_, value_, exponent);
  return result;
}

Rational& Rational::operator+=(const Rational& other) {
  fmpq_add(value_, value_, other.value_);
  return *this;
}
Rational& Rational::operator-=(const Rational& other) {
  fmpq_sub(value_, value_, other.value_);
  return *this;
}
Rational& Rational::operator*=(const Rational& other) {
  fmpq_mul(value_, value_, other.value_);
  return *this;
}
Rational& Rational::operator/=(const Rational& other) {
  assert(!other.is_zero());
  fmpq_div(value_, value_, other.value_);
  return *this;
}

namespace {

void append_factors(const fmpz* integer, std::int64_t exponent, std::vector<PrimePower>& out);

// What trial division left of a large number: a power of something smaller, or one factor that stays whole.
void append_cofactor(const Rational& cofactor, std::int64_t exponent, std::vector<PrimePower>& out) {
  if (cofactor.is_one()) return;
  Rational root;
  const int power = fmpz_is_perfect_power(fmpq_numref(root.raw()), fmpq_numref(cofactor.raw()));
  if (power > 1) {
    append_factors(fmpq_numref(root.raw()), exponent * power, out);
  } else if (fmpz_abs_fits_ui(fmpq_numref(cofactor.raw())) != 0) {
    append_factors(fmpq_numref(cofactor.raw()), exponent, out);
  } else {
    out.push_back({cofactor, Rational(exponent), false});
  }
}

void append_factors(const fmpz* integer, std::int64_t exponent, std::vector<PrimePower>& out) {
  if (fmpz_is_one(integer) != 0) return;
  fmpz_factor_t factors;
  fmpz_factor_init(factors);
  const bool small = fmpz_abs_fits_ui(integer) != 0;
  if (small) {
    fmpz_factor(factors, integer);
  } else {
    fmpz_factor_trial_range(factors, integer, 0, 1900);  // the first 1900 primes, up to 2^14
  }
  // The product of what is kept, whatever trial division says of the rest.
  Rational cofactor;
  fmpz_set(fmpq_numref(cofactor.raw()), integer);
  for (slong i = 0; i < factors->num; ++i) {
    const bool prime = fmpz_abs_fits_ui(factors->p + i) != 0 && n_is_prime(fmpz_get_ui(factors->p + i)) != 0;
    if (!prime) continue;
    Rational base;
    fmpz_set(fmpq_numref(base.raw()), factors->p + i);
    const auto times = static_cast<std::int64_t>(factors->exp[i]);
    cofactor /= base.pow(times);
    out.push_back({std::move(base), Rational(exponent * times), true});
  }
  fmpz_factor_clear(factors);
  assert(cofactor.is_integer() && (!small || cofactor.is_one()));
  append_cofactor(cofactor, exponent, out);
}

}  // namespace

Rational simplest_between(const Rational& low, const Rational& high) {
  if (low.sign() <= 0 && high.sign() >= 0) return 0;
  if (high.sign() < 0) return -simplest_between(-high, -low);
  Rational result;
  fmpq_simplest_between(result.raw(), low.raw(), high.raw());
  return result;
}

std::vector<PrimePower> factor(const Rational& positive) {
  assert(positive.sign() > 0);
  std::vector<PrimePower> result;
  append_factors(fmpq_numref(positive.raw()), 1, result);
  append_factors(fmpq_denref(positive.raw()), -1, result);
  std::sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.base < b.base; });
  std::vector<PrimePower> merged;
  for (PrimePower& power : result) {
    if (!merged.empty() && merged.back().base == power.base) {
      merged.back().exponent += power.exponent;
    } else {
      merged.push_back(std::move(power));
    }
  }
  std::erase_if(merged, [](const PrimePower& power) { return power.exponent.is_zero(); });
  return merged;
}

}  // namespace gpe::theory
