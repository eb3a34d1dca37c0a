// Exact numbers as people write them, and numbers in columns of CSV files. Tests: tests/cli/sweep.cmake
#pragma once

#include <string>

#include "checks/arb/big_count.h"
#include "checks/arb/decimal.h"
#include "checks/sums/sums.h"
#include "theory/source/rational.h"

namespace gpe::checks {

/// A decimal where it ends soon, a fraction otherwise.
inline std::string plain_number(const theory::Rational& value) {
  constexpr int kMaxPlaces = 30;
  for (int places = 0; places <= kMaxPlaces; ++places) {
    const theory::Rational shifted = value.abs() * theory::Rational(10).pow(places);
    if (!shifted.is_integer()) continue;
    std::string text = shifted.str();
    const auto count = static_cast<std::size_t>(places);
    if (text.size() <= count) text.insert(0, count + 1 - text.size(), '0');
    if (places > 0) text.insert(text.size() - count, 1, '.');
    return (value.sign() < 0 ? "-" : "") + text;
  }
  return value.str();
}

/// The digits that are proved, "inf", or nothing. @param zero  whether 0, which has no digits, is written
inline std::string plain_number(const EnclosedNumber& number, int digits, bool zero) {
  if (number.finite == Finite::no) return "inf";
  if (number.finite == Finite::unknown || !number.value.is_finite()) return "";
  const Decimal decimal = proved_decimal(number.value, digits);
  return decimal.digits > 0 || (zero && number.value.surely_zero()) ? decimal.text : "";
}

/// The number, 10^x where it is too large, "inf", or nothing.
inline std::string plain_number(const BigCount& count) {
  switch (count.kind) {
    case BigCount::Kind::number:
      return count.number.str();
    case BigCount::Kind::unbounded:
      return "inf";
    case BigCount::Kind::log10:
      return "10^" + count.log10;
    default:
      return "";
  }
}

}  // namespace gpe::checks
