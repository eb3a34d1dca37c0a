// Numbers as tensors store them and as tensor cores take them: 16 bits. A float is the sum of three bfloat16
// (its planes), up to 2^-24 of itself; a product of two floats then takes six products of planes.
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/lanes.h"

#ifdef __CUDACC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#else
#include <bit>
#endif

namespace gpe::cuda {

/// Bits of a tensor's elements; what they mean.
struct BFloat16 {
  std::uint16_t bits;
};
struct Half {
  std::uint16_t bits;
};

#ifdef __CUDACC__

GPE_KERNEL std::uint32_t bits_of(float x) { return __float_as_uint(x); }
GPE_KERNEL float float_of_bits(std::uint32_t x) { return __uint_as_float(x); }
GPE_KERNEL float to_float(Half x) { return __half2float(__ushort_as_half(x.bits)); }
GPE_KERNEL Half to_half(float x) { return {__half_as_ushort(__float2half_rn(x))}; }
/// To the nearest, ties to even.
GPE_KERNEL BFloat16 to_bfloat16(float x) { return {__bfloat16_as_ushort(__float2bfloat16_rn(x))}; }

#else

inline std::uint32_t bits_of(float x) { return std::bit_cast<std::uint32_t>(x); }
inline float float_of_bits(std::uint32_t x) { return std::bit_cast<float>(x); }
inline float to_float(Half x) {
  const int exponent = x.bits >> 10 & 31;
  const float fraction = static_cast<float>(x.bits & 1023);
  float size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  if (exponent == 31) size = fraction == 0 ? INFINITY : NAN;
  return (x.bits & 0x8000U) != 0 ? -size : size;
}
inline Half to_half(float x) {
  const auto sign = static_cast<std::uint16_t>(bits_of(x) >> 16 & 0x8000U);
  const float size = std::abs(x);
  if (!(size < 65520)) return {static_cast<std::uint16_t>(sign | (size != size ? 0x7E00 : 0x7C00))};
  if (size == 0) return {sign};
  const int exponent = std::max(std::ilogb(size), -14);
  const auto whole = static_cast<std::uint16_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  // a carry of the fraction raises the exponent by itself
  const int base = (exponent + 14) << 10;
  return {static_cast<std::uint16_t>(sign | (base + whole))};
}
inline BFloat16 to_bfloat16(float x) {
  if (x != x) return {0x7FFF};  // as devices have it: rounding up would carry into the sign
  const std::uint32_t wide_bits = bits_of(x);
  return {static_cast<std::uint16_t>((wide_bits + 0x7FFFU + ((wide_bits >> 16) & 1U)) >> 16)};
}

#endif

GPE_KERNEL float to_float(BFloat16 x) { return float_of_bits(std::uint32_t{x.bits} << 16); }

/// How tensor cores see an element: `kPlanes` 16-bit numbers whose sum it is.
template <class Element>
struct Planes;

template <>
struct Planes<BFloat16> {
  static constexpr int kPlanes = 1;
  static constexpr bool kHalf = false;
  GPE_KERNEL static float value(BFloat16 x) { return to_float(x); }
  GPE_KERNEL static BFloat16 rounded(float x) { return to_bfloat16(x); }
};

template <>
struct Planes<Half> {
  static constexpr int kPlanes = 1;
  static constexpr bool kHalf = true;
  GPE_KERNEL static float value(Half x) { return to_float(x); }
  GPE_KERNEL static Half rounded(float x) { return to_half(x); }
};

template <>
struct Planes<float> {
  static constexpr int kPlanes = 3;
  static constexpr bool kHalf = false;
  GPE_KERNEL static float value(float x) { return x; }
  GPE_KERNEL static float rounded(float x) { return x; }
};

#ifdef __CUDACC__
/// A tensor's element as a number; 0 where the condition does not hold.
template <class Element>
GPE_KERNEL float load_number(bool condition, const Element* from, std::int64_t index) {
  return condition ? Planes<Element>::value(from[index]) : 0.0F;
}
template <class Element>
GPE_KERNEL void store_rounded(bool condition, Element* to, std::int64_t index, float value) {
  if (condition) to[index] = Planes<Element>::rounded(value);
}
#else
template <class Element>
FloatLanes load_number(const BoolLanes& condition, const Element* from, const Lanes<std::int64_t>& index) {
  return FloatLanes::each(
      [&](std::size_t i) { return condition.at[i] ? Planes<Element>::value(from[index.at[i]]) : 0.0F; });
}
template <class Element>
void store_rounded(const BoolLanes& condition, Element* to, const Lanes<std::int64_t>& index,
                   const FloatLanes& value) {
  for (std::size_t i = 0; i < kLanes; ++i)
    if (condition.at[i]) to[index.at[i]] = Planes<Element>::rounded(value.at[i]);
}
#endif

/// The 16-bit number nearest to x, and what is left of x for the next planes.
template <class Element>
GPE_KERNEL std::uint16_t take_plane(float& x) {
  if constexpr (Planes<Element>::kHalf) {
    const Half top = to_half(x);
    x -= to_float(top);
    return top.bits;
  } else {
    const BFloat16 top = to_bfloat16(x);
    x -= to_float(top);
    return top.bits;
  }
}

}  // namespace gpe::cuda
