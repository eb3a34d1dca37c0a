// The backward pass of one type of element: included by the file that compiles it.
#pragma once

#include "model/cuda/key_gradient_kernel.h"
#include "model/cuda/launch.cuh"
#include "model/cuda/loss_row.h"
#include "model/cuda/query_gradient_kernel.h"

namespace gpe::cuda {

/// A thread a query.
template <class Element>
__global__ void loss_rows(const __grid_constant__ gpe_gradient_problem problem, float* delta,
                          float* by_score) {
  const Shape& shape = problem.shape;
  const std::int64_t row = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (row >= std::int64_t{shape.batch} * shape.heads * shape.queries) return;
  const auto query = static_cast<int>(row % shape.queries);
  const auto head = static_cast<int>(row / shape.queries % shape.heads);
  const auto batch = static_cast<int>(row / shape.queries / shape.heads);
  float product = 0;
  if (problem.out_gradient.data != nullptr) {
    const auto of = [&](const gpe_tensor& tensor) {
      return static_cast<const Element*>(tensor.data) + batch * tensor.batch + head * tensor.head +
             query * tensor.token;
    };
    product = row_product(of(problem.out), of(problem.out_gradient), shape.head_dim);
  }
  const ScoreTables& tables = problem.scores;
  const auto& wanted = problem.row_gradients;
  const LossOfRow result =
      loss_of_row(product, tables.sink != nullptr ? tables.sink[table_of(tables, head)] : kMasked,
                  problem.log_normalizer[row], problem.entropy != nullptr ? problem.entropy[row] : 0.0F,
                  wanted.log_normalizer != nullptr ? wanted.log_normalizer[row] : 0.0F,
                  wanted.entropy != nullptr ? wanted.entropy[row] : 0.0F);
  delta[row] = result.delta;
  by_score[row] = result.by_score;
}

/// A thread a distance: the tiles of all batch entries and heads of a table, in their order.
static __global__ void sum_tables(const float* parts, double* to, int batch, int heads, int tiles, int length,
                                  int table_heads) {
  const auto n = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (n >= length) return;
  const auto table = static_cast<int>(blockIdx.y);
  double sum = 0;
  for (int b = 0; b < batch; ++b) {
    for (int h = table_heads == 1 ? 0 : table; h < (table_heads == 1 ? heads : table + 1); ++h) {
      for (int t = 0; t < tiles; ++t)
        sum += static_cast<double>(parts[((std::int64_t{b} * heads + h) * tiles + t) * length + n]);
    }
  }
  to[std::int64_t{table} * length + n] = sum;
}

template <class Element>
const char* attention_gradients(const gpe_gradient_problem& from, void* stream) {
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  const Shape& shape = from.shape;
  const std::int64_t rows = std::int64_t{shape.batch} * shape.heads * shape.queries;
  const int tiles = (shape.queries + kTile - 1) / kTile;
  const std::int64_t parts = std::int64_t{shape.batch} * shape.heads * tiles * from.scores.length;
  float* delta = from.workspace;
  float* by_score = delta + rows;
  float* of_tables = by_score + rows;
  float* gain = from.gain != nullptr ? of_tables : nullptr;
  float* bias = from.bias != nullptr ? of_tables + (gain != nullptr ? parts : 0) : nullptr;
  for (float* part : {gain, bias}) {
    if (part == nullptr) continue;
    if (const char* error = error_of(cudaMemsetAsync(part, 0, sizeof(float) * parts, cuda_stream)))
      return error;
  }
  loss_rows<Element>
      <<<static_cast<unsigned>((rows + 127) / 128), 128, 0, cuda_stream>>>(from, delta, by_score);
  if (const char* error = error_of(cudaGetLastError())) return error;
  const auto problem = typed<Element>(from, {from.log_normalizer, delta, by_score}, {gain, bias});
  const char* error = by_head_dim(shape.head_dim, [&]<int kDim>() {
    const char* failed = nullptr;
    if (from.scores.even != nullptr) {
      failed = launch<QueryGradientKernel<true, kDim, Element>>(problem, shape.queries, stream);
      if (failed == nullptr)
        failed = launch<KeyGradientKernel<true, kDim, Element>>(problem, shape.keys, stream);
    } else {
      failed = launch<QueryGradientKernel<false, kDim, Element>>(problem, shape.queries, stream);
      if (failed == nullptr)
        failed = launch<KeyGradientKernel<false, kDim, Element>>(problem, shape.keys, stream);
    }
    return failed;
  });
  if (error != nullptr) return error;
  const dim3 grid(static_cast<unsigned>((from.scores.length + 127) / 128),
                  static_cast<unsigned>(from.scores.table_heads));
  const auto sum = [&](const float* part, double* to) {
    if (to == nullptr) return;
    sum_tables<<<grid, 128, 0, cuda_stream>>>(part, to, shape.batch, shape.heads, tiles, from.scores.length,
                                              from.scores.table_heads);
  };
  sum(gain, from.gain), sum(bias, from.bias);
  return error_of(cudaGetLastError());
}

}  // namespace gpe::cuda
