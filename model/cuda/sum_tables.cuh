// Tables of sums by distance, one part per block of queries.
// Tests: tests/cuda/distances_kernel_test.cpp, tests/cuda/gradient_kernels_test.cpp
#pragma once

#include <cstdint>

namespace gpe::cuda {

/// A thread a distance of a row of a table: the tiles of all batch entries and heads of a table, in their
/// order.
/// @param parts  [batch][heads][tiles][rows][length]
/// @param to     [tables][rows][length]
static __global__ void sum_tables(const float* parts, double* to, int batch, int heads, int tiles, int rows,
                                  int length, int table_heads) {
  const auto n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= length) return;
  const auto row = static_cast<int>(blockIdx.y), table = static_cast<int>(blockIdx.z);
  double sum = 0;
  for (int b = 0; b < batch; ++b) {
    for (int h = table_heads == 1 ? 0 : table; h < (table_heads == 1 ? heads : table + 1); ++h) {
      for (int t = 0; t < tiles; ++t) {
        const std::int64_t tile = (std::int64_t{b} * heads + h) * tiles + t;
        sum += static_cast<double>(parts[(tile * rows + row) * length + n]);
      }
    }
  }
  to[(std::int64_t{table} * rows + row) * length + n] = sum;
}

}  // namespace gpe::cuda
