#include "checks/arb/decimal.h"

#include <algorithm>
#include <cstdlib>

#include "checks/arb/precision.h"

namespace gpe::checks {

using theory::Rational;

namespace {

enum class Rounding { down, up, nearest };

struct Scientific {
  bool negative = false;
  std::string digits;         // d1 d2 d3 …
  std::int64_t exponent = 0;  // d1.d2d3… × 10^exponent
};

// 10^floor(log10 |value|) as an exponent.
std::int64_t decimal_exponent(const Rational& magnitude) {
  std::int64_t exponent = digits_of_bits(static_cast<long>(magnitude.numerator().bits()) -
                                         static_cast<long>(magnitude.denominator().bits()));
  while (magnitude < Rational(10).pow(exponent)) --exponent;
  while (magnitude >= Rational(10).pow(exponent + 1)) ++exponent;
  return exponent;
}

Scientific rounded(const Rational& value, int digits, Rounding rounding) {
  Scientific result;
  if (value.is_zero()) {
    result.digits = "0";
    return result;
  }
  result.negative = value.sign() < 0;
  const Rational magnitude = value.abs();
  result.exponent = decimal_exponent(magnitude);
  const Rational scaled = magnitude * Rational(10).pow(digits - 1 - result.exponent);
  const bool away = rounding == Rounding::nearest ? scaled - scaled.floor() >= Rational(1, 2)
                                                  : (rounding == Rounding::up) != result.negative;
  Rational whole = scaled.floor();
  if (away && !scaled.is_integer()) whole += Rational(1);
  result.digits = whole.str();
  if (std::ssize(result.digits) > digits) {  // 999… rounded to 1000…
    result.digits.pop_back();
    ++result.exponent;
  }
  return result;
}

std::string written(const Scientific& number) {
  std::string text = number.negative ? "-" : "";
  const auto count = std::ssize(number.digits);
  if (number.digits == "0") return "0";
  const auto whole = number.exponent + 1;
  if (number.exponent < -7 || number.exponent >= 21 || count < whole) {  // no digit that was not computed
    text += number.digits.substr(0, 1);
    if (count > 1) text += "." + number.digits.substr(1);
    return text + "e" + (number.exponent < 0 ? "-" : "+") + std::to_string(std::abs(number.exponent));
  }
  if (number.exponent < 0)
    return text + "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + number.digits;
  if (count == whole) return text + number.digits;
  return text + number.digits.substr(0, static_cast<std::size_t>(whole)) + "." +
         number.digits.substr(static_cast<std::size_t>(whole));
}

// A ball beyond the exponents that ends() writes out, as [low, high]·10^power with 1/10 < |low|, |high| < 10;
// nothing when its ends are not of one size.
struct Scaled {
  Rational low;
  Rational high;
  Rational power;
};

std::optional<Scaled> scaled(const Ball& value, int digits) {
  if (!value.is_finite() || value.may_be_zero()) return std::nullopt;
  const long bits =
      128 + ample_bits(digits) + 2 * static_cast<long>(fmpz_bits(ARF_EXPREF(arb_midref(value.raw()))));
  const Ball ten = log(Ball(10), bits);
  const auto power = floor(div(log(abs(value).mid(), bits), ten, bits).mid(), bits).ends();
  if (!power) return std::nullopt;
  const Ball scale = mul(Ball(power->low, bits), ten, bits);
  const auto ends = exp(sub(log(abs(value), bits), scale, bits), bits).ends();
  if (!ends || ends->high > Rational(100) || ends->low < Rational(1, 100)) return std::nullopt;
  if (value.surely_negative()) return Scaled{-ends->high, -ends->low, power->low};
  return Scaled{ends->low, ends->high, power->low};
}

std::string written(const Scientific& number, const Rational& power) {
  std::string text = number.negative ? "-" : "";
  text += number.digits.substr(0, 1);
  if (number.digits.size() > 1) text += "." + number.digits.substr(1);
  const Rational exponent = power + Rational(number.exponent);
  return text + "e" + (exponent.sign() < 0 ? "" : "+") + exponent.str();
}

// An end beyond those exponents by itself.
std::string huge(const Ball& end, int digits, Rounding rounding) {
  if (end.surely_zero()) return "0";
  const auto parts = scaled(end, digits);
  if (!parts) return "?";
  return written(rounded(rounding == Rounding::down ? parts->low : parts->high, digits, rounding),
                 parts->power);
}

// The most digits, at most `most`, to which both ends round alike; nothing when there is none.
struct Agreed {
  Scientific number;
  int digits;
};

std::optional<Agreed> agreed(const Rational& low, const Rational& high, int most) {
  int digits = most;
  if (!(low == high)) {  // an upper bound of the digits from the width
    const Rational magnitude = std::max(low.abs(), high.abs());
    const std::int64_t possible = decimal_exponent(magnitude) - decimal_exponent(high - low) + 1;
    digits = static_cast<int>(std::clamp<std::int64_t>(possible, 0, most));
  }
  for (; digits >= 1; --digits) {
    const Scientific a = rounded(low, digits, Rounding::nearest);
    const Scientific b = rounded(high, digits, Rounding::nearest);
    if (a.negative == b.negative && a.digits == b.digits && a.exponent == b.exponent)
      return Agreed{a, digits};
  }
  return std::nullopt;
}

// An end was moved outward to 0 (see Ball::ends).
bool is_too_small_to_write(const Ball& value, const theory::RationalInterval& ends) {
  return value.surely_nonzero() && (ends.low.is_zero() || ends.high.is_zero());
}

}  // namespace

std::string decimal_below(const Rational& value, int digits) {
  return written(rounded(value, digits, Rounding::down));
}
std::string decimal_above(const Rational& value, int digits) {
  return written(rounded(value, digits, Rounding::up));
}

Decimal proved_decimal(const Ball& value, int most) {
  const auto ends = value.ends();
  if (ends && ends->low.is_zero() && ends->high.is_zero()) return {"0", most};
  if (ends && !is_too_small_to_write(value, *ends)) {
    const auto number = agreed(ends->low, ends->high, most);
    return number ? Decimal{written(number->number), number->digits} : Decimal{"?", 0};
  }
  const auto parts = scaled(value, most);
  const auto number = parts ? agreed(parts->low, parts->high, most) : std::nullopt;
  return number ? Decimal{written(number->number, parts->power), number->digits} : Decimal{"?", 0};
}

DecimalEnds decimal_ends(const Ball& value, int digits) {
  if (const auto ends = value.ends(); ends && !is_too_small_to_write(value, *ends))
    return {decimal_below(ends->low, digits), decimal_above(ends->high, digits)};
  const long bits = 64 + ample_bits(digits);
  return {huge(value.lower(bits), digits, Rounding::down), huge(value.upper(bits), digits, Rounding::up)};
}

}  // namespace gpe::checks
