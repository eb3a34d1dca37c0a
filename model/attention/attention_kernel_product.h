// Products of matrices for attention_kernel_body.h, in the namespace GPE_KERNELS_OF: C = A B, or C += A B.
// Tests: tests/model/attention/attention_test.cpp
#include "model/attention/attention_kernel_vectors.h"

namespace gpe::model::GPE_KERNELS_OF {
namespace {

template <class Real, int kRows, int kVectors>
inline __attribute__((always_inline)) void multiply_block(Int k, const Real* a, Int a_row, Int a_col,
                                                          const Real* b, Int b_row, Real* c, Int c_row,
                                                          bool add) {
  V<Real> sum[kRows][kVectors];
  for (int i = 0; i < kRows; ++i)
    for (int v = 0; v < kVectors; ++v) sum[i][v] = add ? load(c + i * c_row + v * kLanes<Real>) : V<Real>{};
  for (Int l = 0; l < k; ++l) {
    V<Real> row[kVectors];
    for (int v = 0; v < kVectors; ++v) row[v] = load(b + l * b_row + v * kLanes<Real>);
    for (int i = 0; i < kRows; ++i) {
      const Real factor = a[i * a_row + l * a_col];
      for (int v = 0; v < kVectors; ++v) sum[i][v] += factor * row[v];
    }
  }
  for (int i = 0; i < kRows; ++i)
    for (int v = 0; v < kVectors; ++v) store(c + i * c_row + v * kLanes<Real>, sum[i][v]);
}

// The registers hold kRows·kVectors sums, kVectors of B and one factor.
template <class Real>
void multiply(Int m, Int n, Int k, const Real* a, Int a_row, Int a_col, const Real* b, Int b_row, Real* c,
              Int c_row, bool add) {
  constexpr int wide = GPE_VECTOR_BYTES == 64 ? 4 : 2;
  constexpr Int step = wide * kLanes<Real>;
  Int column = 0;
  for (; column + step <= n; column += step)
    for (Int i = 0; i < m; i += 4)
      multiply_block<Real, 4, wide>(k, a + i * a_row, a_row, a_col, b + column, b_row, c + i * c_row + column,
                                    c_row, add);
  for (; column < n; column += kLanes<Real>)
    for (Int i = 0; i < m; i += 8)
      multiply_block<Real, 8, 1>(k, a + i * a_row, a_row, a_col, b + column, b_row, c + i * c_row + column,
                                 c_row, add);
}

}  // namespace
}  // namespace gpe::model::GPE_KERNELS_OF
