// Digits become bits, and bits digits, here and nowhere else. Tests: tests/checks/sums/sums_test.cpp
#pragma once

#include <cstdint>

namespace gpe::checks {

/// The least b with 2^-b <= 10^-digits, up to 1: ceil(digits·log2(10)), log2(10) = 3.32192809488…; digits >=
/// 0.
constexpr long bits_of_digits(long digits) {
  return static_cast<long>((std::int64_t{digits} * 3321928095 + 999999999) / 1000000000);
}
/// Working precision for results of so many decimal digits: 64 guard bits.
constexpr long working_bits(long digits) { return bits_of_digits(digits) + 64; }
/// The digits that so many bits surely give: floor(bits·log10(2)), log10(2) = 0.30102999566…; an estimate
/// where bits < 0.
constexpr long digits_of_bits(long bits) {
  return static_cast<long>(std::int64_t{bits} * 3010299956 / 10000000000);
}

/// More than the bits of so many digits, for what is computed once.
constexpr long ample_bits(long digits) { return 4 * digits; }

/// In plans, whose results are proved: a relative error of 10^-digits as a natural logarithm, and nats as
/// bits.
constexpr double nats_of_digits(double digits) { return digits * 2.302585092994046; }
constexpr double bits_of_nats(double nats) { return nats * 1.4427; }

/// Working precision of bounds, where a few digits are enough, and of searches over ranges.
constexpr long kBoundBits = 64;
constexpr long kSearchBits = 128;

static_assert(bits_of_digits(1) == 4 && bits_of_digits(30) == 100 && bits_of_digits(20000) == 66439);
static_assert(digits_of_bits(100) == 30 && digits_of_bits(66439) == 20000);

}  // namespace gpe::checks
