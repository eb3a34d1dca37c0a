// What the backward kernels are given. Tests: tests/cuda/gradient_kernels_test.cpp
#pragma once

#include "model/cuda/problem.h"

namespace gpe::cuda {

/// By [batch][head][query].
struct LossRows {
  const float* log_normalizer;  ///< what forward left, in nats; minus infinity where a query sees nothing
  const float* delta;
  const float* by_score;
};

/// ∂loss/∂gain(n) and ∂loss/∂bias(n), summed over the pairs of 64 queries:
/// [batch][head][query tile][length]; and of the transform: [batch][head][query tile][cosine,
/// sine][block][length]. Null: not wanted.
struct TableGradients {
  float* gain;
  float* bias;
  float* transform;
};

/// Numbers of TableGradients::transform for one batch entry.
inline std::int64_t transform_parts(const Shape& shape, int length) {
  return std::int64_t{shape.heads} * ((shape.queries + 63) / 64) * shape.head_dim * length;
}
/// How many batch entries the query kernel takes at once, so that these numbers stay below 256 MB: each slice
/// adds to those of the one before.
inline int transform_slice(const Shape& shape, int length) {
  constexpr std::int64_t most = std::int64_t{1} << 26;
  const std::int64_t count = most / transform_parts(shape, length);
  if (count < 1) return 1;
  return count < shape.batch ? static_cast<int>(count) : shape.batch;
}

template <class Element>
struct GradientProblem {
  Shape shape;  ///< group 1, queries = keys
  Tensor<const Element> q, k, v, out_gradient;
  Tensor<Element> q_gradient, k_gradient, v_gradient;
  ScoreTables scores;
  LossRows rows;
  TableGradients tables;
};

template <class Element>
GradientProblem<Element> typed(const gpe_gradient_problem& from, const LossRows& rows,
                               const TableGradients& tables) {
  return {from.shape,
          reading<Element>(from.q),
          reading<Element>(from.k),
          reading<Element>(from.v),
          reading<Element>(from.out_gradient),
          writing<Element>(from.q_gradient),
          writing<Element>(from.k_gradient),
          writing<Element>(from.v_gradient),
          from.scores,
          rows,
          tables};
}

}  // namespace gpe::cuda
