// Sums of the exponential-power family in doubles, eight at a time, with an a-priori error bound.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace gpe::testing {

/// A(n) = -delta n - beta log(1 + n) - gamma sqrt(n).
struct Family {
  double delta;
  double beta;
  double gamma;
};

struct Bounded {
  double value = 0;
  double error = 0;  ///< |value - truth| <= error
};
struct DoubleMoments {
  Bounded z;
  Bounded s;
  Bounded d;
};

constexpr int kLanes = 8;
using Lanes = double __attribute__((vector_size(kLanes * sizeof(double))));
using Integers = std::int64_t __attribute__((vector_size(kLanes * sizeof(double))));

/// e^x for |x| <= 700. With u = 2^-53 the relative error is below 40 u (1 + |x|/64): k log 2 is subtracted in
/// two parts, the first with 32 bits, so that k times it is exact and the difference has an error below u |r|
/// + 2^-33 u |k|
/// + 2^-86 |k|; the Taylor polynomial of degree 14 on |r| < 0.35 leaves out less than 2^-62 and loses at most
/// 15 u e^{0.35}; the scaling is exact.
inline void exp_lanes(const Lanes& x, Lanes& result) {
  constexpr double high = 0x1.62e42fee00000p-1;
  constexpr double low = 0x1.a39ef35793c76p-33;
  constexpr double magic = 0x1.8p52;
  const Lanes shifted = x * 1.4426950408889634 + magic;  // an integer in the low bits
  const Lanes k = shifted - magic;
  const Lanes r = (x - k * high) - k * low;
  Lanes sum = r * 0 + 1;
  for (int j = 14; j >= 1; --j) sum = 1 + sum * r / j;
  Integers bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  Integers scale = (bits + 1023) << 52;  // the low 12 bits of `bits` are those of k
  Lanes power;
  std::memcpy(&power, &scale, sizeof power);
  result = sum * power;
}

/// Σ over n = 0 … last. The library's log is within 1 ulp (4 u with room), square roots and the other
/// operations are rounded once: the error of A is below 8 u m with m = |delta n| + |beta log(1 + n)| + |gamma
/// sqrt(n)|, so the relative error of a term e^A is below u (8 m + 40 (1 + |A|/64)), doubled for room; sums
/// of N terms in runs of 256 lose at most (256 + N/256/8 + 8) u of the sum of sizes.
inline DoubleMoments double_sums(const Family& family, std::int64_t last) {
  constexpr double u = 0x1p-53;
  DoubleMoments total;
  Lanes errors = {};
  Lanes weighted_errors = {};
  Lanes distant_errors = {};
  Lanes sizes = {};
  for (std::int64_t run = 0; run <= last; run += 256 * kLanes) {
    Lanes z = {};
    Lanes s = {};
    Lanes d = {};
    for (std::int64_t n0 = run; n0 <= last && n0 < run + 256 * kLanes; n0 += kLanes) {
      Lanes n;
      Lanes logarithm;
      Lanes root;
      Lanes inside;
      for (int lane = 0; lane < kLanes; ++lane) {
        const double here = static_cast<double>(n0 + lane);
        n[lane] = here;
        logarithm[lane] = std::log1p(here);
        root[lane] = std::sqrt(here);
        inside[lane] = n0 + lane <= last ? 1 : 0;
      }
      const Lanes linear = family.delta * n;
      const Lanes power = family.beta * logarithm;
      const Lanes stretched = family.gamma * root;
      Lanes a = -(linear + power + stretched);
      a = a < -700.0 ? a * 0 - 700 : a;  // such terms, and |A| and n times them, are negligible: `tiny` below
      const Lanes m =
          std::abs(family.delta) * n + std::abs(family.beta) * logarithm + std::abs(family.gamma) * root;
      Lanes w;
      exp_lanes(a, w);
      w *= inside;
      const Lanes relative = 2 * u * (8 * m + 40 * (1 + m / 64));
      z += w;
      s += a * w;
      d += n * w;
      errors += relative * w;
      weighted_errors += (relative * m + 16 * u * m) * w;
      distant_errors += (relative + 2 * u) * n * w;
      sizes += m * w;
    }
    for (int lane = 0; lane < kLanes; ++lane) {
      total.z.value += z[lane];
      total.s.value += s[lane];
      total.d.value += d[lane];
    }
  }
  double size = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    total.z.error += errors[lane];
    total.s.error += weighted_errors[lane];
    total.d.error += distant_errors[lane];
    size += sizes[lane];
  }
  const double adding = 2 * u * (264 + 8 * std::ceil(static_cast<double>(last + 1) / (256 * kLanes)));
  const auto count = static_cast<double>(last + 1);
  const double tiny = 1e-300 * count * count;
  total.z.error = tiny + 1.01 * (total.z.error + adding * total.z.value);
  total.s.error = tiny + 1.01 * (total.s.error + adding * size);
  total.d.error = tiny + 1.01 * (total.d.error + adding * total.d.value);
  return total;
}

}  // namespace gpe::testing
