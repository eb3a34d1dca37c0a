// Matrix fragments in the registers of a warp, and the two instructions that make and multiply them: ldmatrix
// and mma.m16n8k16 of PTX (ISA 9.0, sections 9.7.14.5.8 and 9.7.14.5.15). On the CPU both are done lane
// by lane with the same layouts.
//   With g = lane/4 and t = lane%4: A (16 × 16) holds rows g, g + 8 and columns 2t, 2t + 1, 2t + 8, 2t + 9; B
//   (16 × 8) rows 2t, 2t + 1, 2t + 8, 2t + 9 of column g; C (16 × 8) columns 2t, 2t + 1 of rows g, g + 8.
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/elements.h"

namespace gpe::cuda {

using Words = Lanes<std::uint32_t>;  // two 16-bit numbers in each lane

#ifdef __CUDACC__

/// Four 8 × 8 matrices of 16-bit numbers; lane i gives the place of row i%8 of matrix i/8.
GPE_KERNEL void load_matrices(Words (&to)[4], const std::uint16_t* from, int index) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(from + index));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}
/// Each of them transposed.
GPE_KERNEL void load_transposed(Words (&to)[4], const std::uint16_t* from, int index) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(from + index));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address)
               : "memory");
}
/// c += a·b
template <bool kHalf>
GPE_KERNEL void multiply(Lanes<float> (&c)[4], const Words (&a)[4], Words b0, Words b1) {
  if constexpr (kHalf) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  } else {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  }
}
/// The planes of two numbers, as words.
template <class Element, int kPlanes>
GPE_KERNEL void to_planes(float low, float high, Words (&planes)[kPlanes]) {
  GPE_UNROLL
  for (int p = 0; p < kPlanes; ++p) {
    if constexpr (Planes<Element>::kHalf) {
      const __half2 both = __floats2half2_rn(low, high);
      planes[p] = *reinterpret_cast<const std::uint32_t*>(&both);
    } else {
      const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);
      planes[p] = *reinterpret_cast<const std::uint32_t*>(&both);
      low -= __low2float(both);
      high -= __high2float(both);
    }
  }
}

#else

template <bool kTransposed>
void load_8x8(Words (&to)[4], const std::uint16_t* from, const IntLanes& index) {
  for (std::size_t m = 0; m < 4; ++m) {
    to[m] = Words::each([&](std::size_t lane) {
      const std::size_t g = lane / 4, t = lane % 4;
      const auto entry = [&](std::size_t row, std::size_t column) {
        return std::uint32_t{from[index.at[8 * m + row] + static_cast<int>(column)]};
      };
      return kTransposed ? entry(2 * t, g) | entry(2 * t + 1, g) << 16
                         : entry(g, 2 * t) | entry(g, 2 * t + 1) << 16;
    });
  }
}
inline void load_matrices(Words (&to)[4], const std::uint16_t* from, const IntLanes& index) {
  load_8x8<false>(to, from, index);
}
inline void load_transposed(Words (&to)[4], const std::uint16_t* from, const IntLanes& index) {
  load_8x8<true>(to, from, index);
}

template <bool kHalf>
float number_of(std::uint32_t bits) {
  const auto low = static_cast<std::uint16_t>(bits);
  return kHalf ? to_float(Half{low}) : to_float(BFloat16{low});
}

template <bool kHalf>
void multiply(FloatLanes (&c)[4], const Words (&a)[4], const Words& b0, const Words& b1) {
  float left[16][16], right[16][8];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t g = lane / 4, t = lane % 4;
    for (std::size_t half = 0; half < 2; ++half) {
      for (std::size_t part = 0; part < 4; ++part)
        left[g + part % 2 * 8][2 * t + half + part / 2 * 8] = number_of<kHalf>(a[part].at[lane] >> 16 * half);
      right[2 * t + half][g] = number_of<kHalf>(b0.at[lane] >> 16 * half);
      right[2 * t + half + 8][g] = number_of<kHalf>(b1.at[lane] >> 16 * half);
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t part = 0; part < 4; ++part) {
      const std::size_t row = lane / 4 + part / 2 * 8, column = 2 * (lane % 4) + part % 2;
      float sum = c[part].at[lane];
      for (std::size_t k = 0; k < 16; ++k) sum += left[row][k] * right[k][column];
      c[part].at[lane] = sum;
    }
  }
}

template <class Element, int kPlanes>
void to_planes(FloatLanes low, FloatLanes high, Words (&planes)[kPlanes]) {
  for (int p = 0; p < kPlanes; ++p) {
    planes[p] = Words::each([&](std::size_t i) {
      const std::uint32_t first = take_plane<Element>(low.at[i]);
      return first | std::uint32_t{take_plane<Element>(high.at[i])} << 16;
    });
  }
}

#endif

/// Which products of planes make up a product of elements: the small ones first.
template <int kPlanes, class F>
GPE_KERNEL void each_product(const F& f) {
  GPE_UNROLL
  for (int order = kPlanes - 1; order >= 0; --order) {
    GPE_UNROLL
    for (int a = order; a >= 0; --a) f(a, order - a);
  }
}

}  // namespace gpe::cuda
