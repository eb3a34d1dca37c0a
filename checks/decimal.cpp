#include "checks/decimal.h"

#include <algorithm>
#include <cmath>

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
  const double estimate = (static_cast<double>(magnitude.numerator().bits()) -
                           static_cast<double>(magnitude.denominator().bits())) *
                          0.30102999566398120;
  auto exponent = static_cast<std::int64_t>(std::floor(estimate));
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
  if (number.exponent < -7 || number.exponent >= 21) {
    text += number.digits.substr(0, 1);
    if (count > 1) text += "." + number.digits.substr(1);
    return text + "e" + (number.exponent < 0 ? "-" : "+") + std::to_string(std::abs(number.exponent));
  }
  if (number.exponent < 0)
    return text + "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + number.digits;
  const auto whole = number.exponent + 1;
  if (count <= whole) return text + number.digits + std::string(static_cast<std::size_t>(whole - count), '0');
  return text + number.digits.substr(0, static_cast<std::size_t>(whole)) + "." +
         number.digits.substr(static_cast<std::size_t>(whole));
}

// Ends beyond the exponents that ends() writes out: through the logarithm.
std::string huge(const Ball& end, int digits, Rounding rounding) {
  const long bits = 64 + 4L * digits + static_cast<long>(fmpz_bits(ARF_EXPREF(arb_midref(end.raw()))));
  const Ball magnitude = abs(end);
  const Ball log10 = div(log(magnitude, bits), log(Ball(10), bits), bits);
  const auto exponent = floor(log10, bits).ends();
  if (!exponent) return "?";
  const Ball mantissa =
      exp(mul(sub(log10, Ball(exponent->low, bits), bits), log(Ball(10), bits), bits), bits);
  const auto ends = mantissa.ends();
  if (!ends) return "?";
  const bool negative = end.surely_negative();
  const bool down = (rounding == Rounding::down) != negative;
  Scientific number = rounded(down ? ends->low : ends->high, digits, down ? Rounding::down : Rounding::up);
  std::string text = negative ? "-" : "";
  text += number.digits.substr(0, 1);
  if (number.digits.size() > 1) text += "." + number.digits.substr(1);
  const Rational power = exponent->low + Rational(number.exponent);
  return text + "e" + (power.sign() < 0 ? "" : "+") + power.str();
}

}  // namespace

std::string decimal_below(const Rational& value, int digits) {
  return written(rounded(value, digits, Rounding::down));
}
std::string decimal_above(const Rational& value, int digits) {
  return written(rounded(value, digits, Rounding::up));
}

Decimal proved_decimal(const Ball& value, int most) {
  if (!value.is_finite()) return {"?", 0};
  const auto ends = value.ends();
  if (!ends) {
    const DecimalEnds both = decimal_ends(value, most);
    return {both.lower, 1};
  }
  if (ends->low == ends->high && ends->low.is_zero()) return {"0", most};
  // An upper bound of the digits from the width, then down until both ends round alike.
  int digits = most;
  if (!(ends->low == ends->high)) {
    const Rational magnitude = std::max(ends->low.abs(), ends->high.abs());
    const std::int64_t possible = decimal_exponent(magnitude) - decimal_exponent(ends->high - ends->low) + 1;
    digits = static_cast<int>(std::clamp<std::int64_t>(possible, 0, most));
  }
  for (; digits >= 1; --digits) {
    const Scientific low = rounded(ends->low, digits, Rounding::nearest);
    const Scientific high = rounded(ends->high, digits, Rounding::nearest);
    if (low.negative == high.negative && low.digits == high.digits && low.exponent == high.exponent) {
      return {written(low), digits};
    }
  }
  return {"?", 0};
}

DecimalEnds decimal_ends(const Ball& value, int digits) {
  if (const auto ends = value.ends())
    return {decimal_below(ends->low, digits), decimal_above(ends->high, digits)};
  const long bits = 64 + 4L * digits;
  return {huge(value.lower(bits), digits, Rounding::down), huge(value.upper(bits), digits, Rounding::up)};
}

}  // namespace gpe::checks
