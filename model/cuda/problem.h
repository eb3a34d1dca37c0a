// What kernels are given: the plain structs of gpe_kernels.h, with tensors of one type of element.
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/block.h"
#include "model/cuda/gpe_kernels.h"

namespace gpe::cuda {

inline constexpr float kLog2E = 1.44269504F;
inline constexpr float kLn2 = 0.693147181F;

using Shape = gpe_shape;
using ScoreTables = gpe_score_tables;
using Visible = gpe_visible;
using RowResults = gpe_row_results;
using Buckets = gpe_buckets;

/// The position of query 0.
GPE_KERNEL int offset_of(const Shape& shape) { return shape.keys - shape.queries; }
GPE_KERNEL int table_of(const ScoreTables& tables, int head) { return tables.table_heads == 1 ? 0 : head; }
/// 0 without one.
GPE_KERNEL float softcap_of(const ScoreTables& tables, int head) {
  return tables.softcap != nullptr ? tables.softcap[table_of(tables, head)] : 0.0F;
}
/// The place of query 0 of a head in numbers by [batch][head][query].
GPE_KERNEL std::int64_t first_row(const Shape& shape, int batch, int head) {
  return (static_cast<std::int64_t>(batch) * shape.heads + head) * shape.queries;
}

/// As gpe_rows_problem.
template <class Element>
struct RowsProblem {
  Shape shape;
  Tensor<const Element> q, k, v;
  Tensor<Element> out;
  ScoreTables scores;
  Visible visible;
  RowResults rows;
  Buckets buckets;
};

/// A pass for the moments of its classes of distance alone.
template <class Element>
struct MomentsProblem : RowsProblem<Element> {
  float* moments;
};

/// The same for sums by exact distance.
template <class Element>
struct DistancesProblem : RowsProblem<Element> {
  float* parts;
};

template <class Element>
Tensor<const Element> reading(const gpe_tensor& tensor) {
  return {static_cast<const Element*>(tensor.data), tensor.batch, tensor.head, tensor.token};
}
template <class Element>
Tensor<Element> writing(const gpe_tensor& tensor) {
  return {static_cast<Element*>(tensor.data), tensor.batch, tensor.head, tensor.token};
}
template <class Element>
RowsProblem<Element> typed(const gpe_rows_problem& from) {
  return {from.shape,
          reading<Element>(from.q),
          reading<Element>(from.k),
          reading<Element>(from.v),
          writing<Element>(from.out),
          from.scores,
          from.visible,
          from.rows,
          from.buckets};
}

}  // namespace gpe::cuda
