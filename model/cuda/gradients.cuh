// The backward pass of one type of element: included by the file that compiles it.
// Tests: tests/cuda/gradient_kernels_test.cpp
#pragma once

#include "model/cuda/key_gradient_kernel.h"
#include "model/cuda/launch.cuh"
#include "model/cuda/loss_row.h"
#include "model/cuda/query_gradient_kernel.h"
#include "model/cuda/sum_tables.cuh"

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

/// The part of a problem that belongs to batch entries first … first + count - 1; sums of the transform stay
/// where they are.
template <class Element>
GradientProblem<Element> slice(GradientProblem<Element> problem, int first, int count, int tiles) {
  const Shape& shape = problem.shape;
  for (auto* tensor : {&problem.q, &problem.k, &problem.v}) tensor->data += first * tensor->batch;
  if (problem.out_gradient.data != nullptr) problem.out_gradient.data += first * problem.out_gradient.batch;
  for (auto* tensor : {&problem.q_gradient, &problem.k_gradient, &problem.v_gradient})
    tensor->data += first * tensor->batch;
  const std::int64_t rows = std::int64_t{first} * shape.heads * shape.queries;
  problem.rows.log_normalizer += rows;
  problem.rows.delta += rows;
  problem.rows.by_score += rows;
  const std::int64_t parts = std::int64_t{first} * shape.heads * tiles * problem.scores.length;
  if (problem.tables.gain != nullptr) problem.tables.gain += parts;
  if (problem.tables.bias != nullptr) problem.tables.bias += parts;
  problem.shape.batch = count;
  return problem;
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
  float* after_gain = of_tables + (gain != nullptr ? parts : 0);
  float* bias = from.bias != nullptr ? after_gain : nullptr;
  const int length = from.scores.length;
  const int at_once = from.transform != nullptr ? transform_slice(shape, length) : shape.batch;
  float* transform = nullptr;
  if (from.transform != nullptr) transform = after_gain + (bias != nullptr ? parts : 0);
  const auto clear = [&](float* part, std::int64_t count) {
    return part == nullptr ? nullptr : error_of(cudaMemsetAsync(part, 0, sizeof(float) * count, cuda_stream));
  };
  for (const char* error :
       {clear(gain, parts), clear(bias, parts), clear(transform, at_once * transform_parts(shape, length))})
    if (error != nullptr) return error;
  loss_rows<Element>
      <<<static_cast<unsigned>((rows + 127) / 128), 128, 0, cuda_stream>>>(from, delta, by_score);
  if (const char* error = error_of(cudaGetLastError())) return error;
  const auto problem = typed<Element>(from, {from.log_normalizer, delta, by_score}, {gain, bias, transform});
  const char* error = by_head_dim(shape.head_dim, [&]<int kDim>() {
    const auto run = [&]<Route kRoute>() {
      const char* failed = nullptr;
      for (int first = 0; failed == nullptr && first < shape.batch; first += at_once) {
        const int count = first + at_once < shape.batch ? at_once : shape.batch - first;
        failed = launch<QueryGradientKernel<kRoute, kDim, Element>>(slice(problem, first, count, tiles),
                                                                    shape.queries, stream);
      }
      if (failed == nullptr)
        failed = launch<KeyGradientKernel<kRoute, kDim, Element>>(problem, shape.keys, stream);
      return failed;
    };
    if (from.scores.cosine == nullptr) return run.template operator()<Route::products>();
    if constexpr (Planes<Element>::kPlanes == 1 && kDim <= 64) {  // what fits into shared memory
      if (from.scores.series != nullptr) return run.template operator()<Route::series>();
    }
    return run.template operator()<Route::turned>();
  });
  if (error != nullptr) return error;
  const auto sum = [&](const float* part, double* to, int batch, int of_table) {
    if (to == nullptr) return;
    const dim3 grid(static_cast<unsigned>((length + 127) / 128), static_cast<unsigned>(of_table),
                    static_cast<unsigned>(from.scores.table_heads));
    sum_tables<<<grid, 128, 0, cuda_stream>>>(part, to, batch, shape.heads, tiles, of_table, length,
                                              from.scores.table_heads);
  };
  sum(gain, from.gain, shape.batch, 1);
  sum(bias, from.bias, shape.batch, 1);
  sum(transform, from.transform, at_once, shape.head_dim);
  return error_of(cudaGetLastError());
}

}  // namespace gpe::cuda
