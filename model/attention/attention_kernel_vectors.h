// Vectors of GPE_VECTOR_BYTES bytes for attention_kernel_body.h, in the namespace GPE_KERNELS_OF: loads, sums
// over lanes, e^x.
//
// Vectors are those of GCC and Clang: arithmetic and comparisons are by lane, a comparison selects as c ? x :
// y. Tests: tests/model/attention/attention_test.cpp
#pragma once

#include "model/attention/attention_kernel.h"

namespace gpe::model::GPE_KERNELS_OF {
namespace {

using Int = std::int64_t;

template <class Real>
struct Lanes;
template <>
struct Lanes<float> {
  using Vector = float __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integers = std::int32_t __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integer = std::int32_t;
};
template <>
struct Lanes<double> {
  using Vector = double __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integers = std::int64_t __attribute__((vector_size(GPE_VECTOR_BYTES)));
  using Integer = std::int64_t;
};
template <class Real>
using V = typename Lanes<Real>::Vector;
template <class Real>
constexpr Int kLanes = GPE_VECTOR_BYTES / static_cast<Int>(sizeof(Real));

template <class Real>
inline __attribute__((always_inline)) V<Real> load(const Real* from) {
  V<Real> result;
  __builtin_memcpy(&result, from, sizeof result);
  return result;
}
template <class Real>
inline __attribute__((always_inline)) void store(Real* to, const V<Real>& value) {
  __builtin_memcpy(to, &value, sizeof value);
}
template <class Real>
inline __attribute__((always_inline)) V<Real> splat(Real value) {
  return V<Real>{} + value;
}
// One number of all lanes: halves are joined until one is left.
template <class Join, class Vector>
inline __attribute__((always_inline)) auto folded(const Vector& v, Join join) {
  if constexpr (sizeof v / sizeof v[0] == 16) {
    return folded(join(__builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7),
                       __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)),
                  join);
  } else if constexpr (sizeof v / sizeof v[0] == 8) {
    return folded(join(__builtin_shufflevector(v, v, 0, 1, 2, 3), __builtin_shufflevector(v, v, 4, 5, 6, 7)),
                  join);
  } else if constexpr (sizeof v / sizeof v[0] == 4) {
    const Vector pairs = join(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
    return join(pairs, __builtin_shufflevector(pairs, pairs, 1, 0, 3, 2))[0];
  } else {
    static_assert(sizeof v / sizeof v[0] == 2);
    return join(v, __builtin_shufflevector(v, v, 1, 0))[0];
  }
}
template <class Real>
inline __attribute__((always_inline)) Real total(const V<Real>& v) {
  return folded(
      v, [](const auto& a, const auto& b) __attribute__((always_inline)) { return a + b; });
}
template <class Real>
inline __attribute__((always_inline)) Real largest(const V<Real>& v) {
  return folded(
      v, [](const auto& a, const auto& b) __attribute__((always_inline)) { return a > b ? a : b; });
}

template <class Real>
inline __attribute__((always_inline)) typename Lanes<Real>::Integers lane_numbers() {
  typename Lanes<Real>::Integers result{};
  for (Int lane = 0; lane < kLanes<Real>; ++lane)
    result[lane] = static_cast<typename Lanes<Real>::Integer>(lane);
  return result;
}

// e^x for x <= 88, 0 below -87: x = k·log 2 + r, |r| <= log(2)/2, and e^r by a polynomial. Relative error
// 2e-7, for double 4e-16.
inline __attribute__((always_inline)) V<float> exponential(const V<float>& x) {
  constexpr float magic = 12582912.0F;  // 1.5·2^23: adding it rounds to an integer, kept in the low bits
  const V<float> shifted = x * 1.44269504F + magic;
  const V<float> k = shifted - magic;
  const V<float> r = (x - k * 0.693359375F) + k * 2.12194440e-4F;
  V<float> p = splat(1.9875691500e-4F);
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  using Integers = Lanes<float>::Integers;
  const Integers exponent = (reinterpret_cast<Integers>(shifted) - 0x4B400000 + 127) << 23;
  const V<float> result = p * reinterpret_cast<V<float>>(exponent);
  return x < -87.0F ? V<float>{} : result;
}
inline __attribute__((always_inline)) V<double> exponential(const V<double>& x) {
  constexpr double magic = 6755399441055744.0;  // 1.5·2^52
  const V<double> shifted = x * 1.4426950408889634 + magic;
  const V<double> k = shifted - magic;
  const V<double> r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  V<double> p = splat(1.0 / 6227020800.0);
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * (r * r) + r + 1.0;
  using Integers = Lanes<double>::Integers;
  const Integers exponent = (reinterpret_cast<Integers>(shifted) - 0x4338000000000000 + 1023) << 52;
  const V<double> result = p * reinterpret_cast<V<double>>(exponent);
  return x < -87.0 ? V<double>{} : result;
}

}  // namespace
}  // namespace gpe::model::GPE_KERNELS_OF
