// Digits become bits, and bits digits, here and nowhere else.
#pragma once

namespace gpe::checks {

/// The least b with 2^-b <= 10^-digits, up to 1: ceil(digits·log2(10)), log2(10) = 3.32192809488…; digits >= 0.
constexpr long bits_of_digits(long digits) { return (digits * 3321928095L + 999999999L) / 1000000000L; }
/// Working precision for results of so many decimal digits: 64 guard bits.
constexpr long working_bits(long digits) { return bits_of_digits(digits) + 64; }
/// The digits that so many bits surely give: floor(bits·log10(2)), log10(2) = 0.30102999566…; an estimate where bits < 0.
constexpr long digits_of_bits(long bits) { return bits * 3010299956L / 10000000000L; }

static_assert(bits_of_digits(1) == 4 && bits_of_digits(30) == 100 && bits_of_digits(20000) == 66439);
static_assert(digits_of_bits(100) == 30 && digits_of_bits(66439) == 20000);

}  // namespace gpe::checks
