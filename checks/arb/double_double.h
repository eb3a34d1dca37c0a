// Numbers as unevaluated sums of two doubles, about 106 bits, and e^-a of such a number.
#pragma once

#include <array>
#include <cmath>

#include "checks/arb/ball.h"

namespace gpe::checks {

/// high + low, |low| <= 2^-53 |high|. The operations are those of Joldes, Muller and Popescu, "Tight and
/// rigorous error bounds for basic building blocks of double-word arithmetic", ACM TOMS 44 (2017), with u =
/// 2^-53; they hold with rounding to nearest, without underflow and overflow.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// a + b exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// a + b exactly when |a| >= |b|.
inline DoubleDouble fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
/// a·b exactly.
inline DoubleDouble two_product(double a, double b) {
  const double p = a * b;
  return {p, std::fma(a, b, -p)};
}
/// Relative error at most 3u² for operands of one sign (their algorithm 5; of any signs, 4u²(|a| + |b|)).
inline DoubleDouble add(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble s = two_sum(a.high, b.high);
  return fast_two_sum(s.high, s.low + (a.low + b.low));
}
/// Relative error at most 2u² (algorithm 9).
inline DoubleDouble mul(const DoubleDouble& a, double b) {
  const DoubleDouble p = two_product(a.high, b);
  return fast_two_sum(p.high, std::fma(a.low, b, p.low));
}
/// Relative error at most 6u² (algorithm 11).
inline DoubleDouble mul(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = two_product(a.high, b.high);
  return fast_two_sum(p.high, p.low + std::fma(a.high, b.low, a.low * b.high));
}
/// The nearest one to the midpoint; the relative error is at most 2^-104 more than that of the ball.
DoubleDouble nearest(const Ball& value);

/// J7: e^-a for 0 <= a <= 600, with a relative error of at most kExpError = 2^-72, besides that of a.
class ExpMinus {
 public:
  static constexpr double kError = 0x1p-72;
  static constexpr double kLargest = 600;
  ExpMinus();
  DoubleDouble operator()(const DoubleDouble& a) const {
    // a = (k/64) log 2 + r, |r| < 0.0055, k = 64 q - j: e^-a = 2^-q 2^(j/64) e^-r
    const double rounder = 0x1.8p52;
    const double shifted = a.high * 0x1.71547652b82fep6 + rounder;
    const double k = shifted - rounder;
    const DoubleDouble s = two_sum(a.high, -k * step_high_);
    const DoubleDouble p = two_product(k, step_.high);
    const DoubleDouble t = two_sum(s.high, -p.high);
    const double rest = (t.low + s.low) + (a.low - (p.low + k * step_.low));
    const DoubleDouble r = two_sum(t.high, rest);
    const double x = -r.high;
    const double x_low = -r.low;
    const double cubic =
        x * x * x *
        (1.0 / 6 + x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720 + x * (1.0 / 5040 + x * (1.0 / 40320))))));
    const DoubleDouble square = two_product(x, 0.5 * x);
    const DoubleDouble e = two_sum(x, square.high);  // e^-r - 1 = e.high + low
    const double low = (cubic + (square.low + x * x_low)) + (e.low + x_low);
    const auto number = static_cast<long>(k);
    const long q = (number + 63) >> 6;
    const DoubleDouble& power = powers_[static_cast<std::size_t>((q << 6) - number)];
    const DoubleDouble m = two_product(power.high, e.high);
    const DoubleDouble v = fast_two_sum(power.high, m.high);
    const double v_low = (m.low + std::fma(power.high, low, power.low * e.high)) + (v.low + power.low);
    const DoubleDouble result = fast_two_sum(v.high, v_low);
    const double scale = scales_[static_cast<std::size_t>(q)];
    return {result.high * scale, result.low * scale};
  }

 private:
  double step_high_;   // log(2)/64 to 34 bits: its products with k < 2^16 are exact
  DoubleDouble step_;  // the rest
  std::array<DoubleDouble, 64> powers_;
  std::array<double, 880> scales_;  // 2^-q
};

}  // namespace gpe::checks
