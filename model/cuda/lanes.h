// What the 32 threads of a warp hold, written once for the device and for the CPU. Compiled by nvcc,
// Lanes<T> is the T of one thread; compiled by anything else, it is the 32 of them in a row, so that a kernel
// runs in tests on the CPU, lane by lane, as it does on the device.
//   Code that uses it is the same for all lanes: no `if` on what differs between them, but select().
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#ifdef __CUDACC__
#define GPE_KERNEL __device__ __forceinline__
#define GPE_UNROLL _Pragma("unroll")
#else
#include <algorithm>
#include <array>
#include <cassert>
#define GPE_KERNEL inline
#define GPE_UNROLL
#endif

namespace gpe::cuda {

inline constexpr int kLanes = 32;

#ifdef __CUDACC__

template <class T>
using Lanes = T;

GPE_KERNEL int lane_id() { return static_cast<int>(threadIdx.x & 31U); }
template <class T>
GPE_KERNEL T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}
/// Within 2 units in the last place; what is below 2^-126 is 0.
GPE_KERNEL float exp2_of(float x) {
  float result;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
/// Of angles of some turns: within 1e-6.
GPE_KERNEL void sine_cosine(float x, float& sine, float& cosine) {
  const float turns = rintf(x * 0.159154943F);
  __sincosf(fmaf(turns, -1.74845553e-7F, fmaf(turns, -6.28318548F, x)), &sine, &cosine);
}
GPE_KERNEL float tanh_of(float x) { return tanhf(x); }
GPE_KERNEL float log2_of(float x) { return log2f(x); }
GPE_KERNEL float absolute(float x) { return fabsf(x); }
GPE_KERNEL float larger(float a, float b) { return fmaxf(a, b); }
GPE_KERNEL float smaller(float a, float b) { return fminf(a, b); }
GPE_KERNEL int larger(int a, int b) { return a > b ? a : b; }
GPE_KERNEL int smaller(int a, int b) { return a < b ? a : b; }
GPE_KERNEL float multiply_add(float a, float b, float c) { return fmaf(a, b, c); }
GPE_KERNEL float to_float(int x) { return static_cast<float>(x); }
GPE_KERNEL float shuffle_xor(float x, int mask) { return __shfl_xor_sync(0xFFFFFFFFU, x, mask); }
GPE_KERNEL int shuffle_xor(int x, int mask) { return __shfl_xor_sync(0xFFFFFFFFU, x, mask); }
/// Whether it is so in every lane.
GPE_KERNEL bool all(bool condition) { return __all_sync(0xFFFFFFFFU, condition) != 0; }
template <class T>
GPE_KERNEL T load(const T* from, int index) {
  return from[index];
}
/// Two or four neighbours at once: `index` is even, or a multiple of four.
GPE_KERNEL void load_pair(float (&to)[2], const float* from, int index) {
  const float2 pair = *reinterpret_cast<const float2*>(from + index);
  to[0] = pair.x;
  to[1] = pair.y;
}
GPE_KERNEL void load_four(float (&to)[4], const float* from, int index) {
  const float4 four = *reinterpret_cast<const float4*>(from + index);
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}
template <class T>
GPE_KERNEL T load_if(bool condition, const T* from, std::int64_t index, T otherwise) {
  return condition ? from[index] : otherwise;
}
template <class T>
GPE_KERNEL void store_if(bool condition, T* to, std::int64_t index, T value) {
  if (condition) to[index] = value;
}
GPE_KERNEL std::int64_t wide(int x) { return x; }
/// What a lane stored in shared memory, the others of its warp see afterwards.
GPE_KERNEL void sync_warp() { __syncwarp(); }

#else

template <class T>
struct Lanes {
  std::array<T, kLanes> at;

  Lanes() { at.fill(T()); }
  Lanes(T value) { at.fill(value); }  // NOLINT: a number is the same in all lanes

  template <class F>
  static Lanes each(const F& f) {
    Lanes result;
    for (std::size_t i = 0; i < kLanes; ++i) result.at[i] = f(i);
    return result;
  }
  friend Lanes operator+(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) { return static_cast<T>(a.at[i] + b.at[i]); });
  }
  friend Lanes operator-(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) { return static_cast<T>(a.at[i] - b.at[i]); });
  }
  friend Lanes operator*(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) { return static_cast<T>(a.at[i] * b.at[i]); });
  }
  friend Lanes operator/(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) { return static_cast<T>(a.at[i] / b.at[i]); });
  }
  friend Lanes operator%(const Lanes& a, const Lanes& b) {
    return each([&](std::size_t i) { return static_cast<T>(a.at[i] % b.at[i]); });
  }
  friend Lanes operator-(const Lanes& a) {
    return each([&](std::size_t i) { return static_cast<T>(-a.at[i]); });
  }
  Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  Lanes& operator*=(const Lanes& b) { return *this = *this * b; }
  friend Lanes<bool> operator<(const Lanes& a, const Lanes& b) {
    return Lanes<bool>::each([&](std::size_t i) { return a.at[i] < b.at[i]; });
  }
  friend Lanes<bool> operator>=(const Lanes& a, const Lanes& b) {
    return Lanes<bool>::each([&](std::size_t i) { return a.at[i] >= b.at[i]; });
  }
  friend Lanes<bool> operator>(const Lanes& a, const Lanes& b) { return b < a; }
  friend Lanes<bool> operator<=(const Lanes& a, const Lanes& b) { return b >= a; }
  friend Lanes<bool> operator==(const Lanes& a, const Lanes& b) {
    return Lanes<bool>::each([&](std::size_t i) { return a.at[i] == b.at[i]; });
  }
  friend Lanes<bool> operator&&(const Lanes& a, const Lanes& b) {
    return Lanes<bool>::each([&](std::size_t i) { return a.at[i] && b.at[i]; });
  }
};

using FloatLanes = Lanes<float>;
using IntLanes = Lanes<int>;
using BoolLanes = Lanes<bool>;

inline IntLanes lane_id() {
  return IntLanes::each([](std::size_t i) { return static_cast<int>(i); });
}
template <class T>
Lanes<T> select(const BoolLanes& condition, const Lanes<T>& yes, const Lanes<T>& no) {
  return Lanes<T>::each([&](std::size_t i) { return condition.at[i] ? yes.at[i] : no.at[i]; });
}
inline FloatLanes exp2_of(const FloatLanes& x) {
  return FloatLanes::each([&](std::size_t i) { return std::exp2(x.at[i]); });
}
inline void sine_cosine(const FloatLanes& x, FloatLanes& sine, FloatLanes& cosine) {
  sine = FloatLanes::each([&](std::size_t i) { return std::sin(x.at[i]); });
  cosine = FloatLanes::each([&](std::size_t i) { return std::cos(x.at[i]); });
}
inline FloatLanes tanh_of(const FloatLanes& x) {
  return FloatLanes::each([&](std::size_t i) { return std::tanh(x.at[i]); });
}
inline FloatLanes log2_of(const FloatLanes& x) {
  return FloatLanes::each([&](std::size_t i) { return std::log2(x.at[i]); });
}
inline FloatLanes absolute(const FloatLanes& x) {
  return FloatLanes::each([&](std::size_t i) { return std::abs(x.at[i]); });
}
template <class T>
Lanes<T> larger(const Lanes<T>& a, const Lanes<T>& b) {
  return Lanes<T>::each([&](std::size_t i) { return std::max(a.at[i], b.at[i]); });
}
template <class T>
Lanes<T> smaller(const Lanes<T>& a, const Lanes<T>& b) {
  return Lanes<T>::each([&](std::size_t i) { return std::min(a.at[i], b.at[i]); });
}
inline FloatLanes multiply_add(const FloatLanes& a, const FloatLanes& b, const FloatLanes& c) {
  return FloatLanes::each([&](std::size_t i) { return std::fma(a.at[i], b.at[i], c.at[i]); });
}
inline FloatLanes to_float(const IntLanes& x) {
  return FloatLanes::each([&](std::size_t i) { return static_cast<float>(x.at[i]); });
}
template <class T>
Lanes<T> shuffle_xor(const Lanes<T>& x, int mask) {
  return Lanes<T>::each([&](std::size_t i) { return x.at[i ^ static_cast<std::size_t>(mask)]; });
}
inline bool all(const BoolLanes& condition) {
  return std::all_of(condition.at.begin(), condition.at.end(), [](bool one) { return one; });
}
template <class T>
Lanes<T> load(const T* from, const IntLanes& index) {
  return Lanes<T>::each([&](std::size_t i) { return from[index.at[i]]; });
}
template <std::size_t kCount>
void load_neighbours(FloatLanes (&to)[kCount], const float* from, const IntLanes& index) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    assert(index.at[i] % static_cast<int>(kCount) == 0);
    for (std::size_t k = 0; k < kCount; ++k) to[k].at[i] = from[index.at[i] + static_cast<int>(k)];
  }
}
inline void load_pair(FloatLanes (&to)[2], const float* from, const IntLanes& index) {
  load_neighbours(to, from, index);
}
inline void load_four(FloatLanes (&to)[4], const float* from, const IntLanes& index) {
  load_neighbours(to, from, index);
}
template <class T>
Lanes<T> load_if(const BoolLanes& condition, const T* from, const Lanes<std::int64_t>& index,
                 const Lanes<T>& otherwise) {
  return Lanes<T>::each([&](std::size_t i) { return condition.at[i] ? from[index.at[i]] : otherwise.at[i]; });
}
template <class T>
void store_if(const BoolLanes& condition, T* to, const Lanes<std::int64_t>& index, const Lanes<T>& value) {
  for (std::size_t i = 0; i < kLanes; ++i)
    if (condition.at[i]) to[index.at[i]] = value.at[i];
}
inline void sync_warp() {}
inline Lanes<std::int64_t> wide(const IntLanes& x) {
  return Lanes<std::int64_t>::each([&](std::size_t i) { return std::int64_t{x.at[i]}; });
}

#endif

// Over the four lanes that hold one row of a tile.
GPE_KERNEL Lanes<float> row_sum(Lanes<float> x) {
  x += shuffle_xor(x, 1);
  return x + shuffle_xor(x, 2);
}
GPE_KERNEL Lanes<float> row_max(Lanes<float> x) {
  x = larger(x, shuffle_xor(x, 1));
  return larger(x, shuffle_xor(x, 2));
}

}  // namespace gpe::cuda
