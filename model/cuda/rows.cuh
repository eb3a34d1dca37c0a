// Forward and statistics of one type of element: included by the file that compiles it.
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/launch.cuh"
#include "model/cuda/rows_kernel.h"
#include "model/cuda/series_contents.h"

namespace gpe::cuda {

template <class Element>
const char* attention_rows(const gpe_rows_problem& from, void* stream) {
  const RowsProblem<Element> problem = typed<Element>(from);
  return by_head_dim(from.shape.head_dim, [&]<int kDim>() {
    const bool turned = from.scores.cosine != nullptr, output = from.out.data != nullptr;
    using Products = ProductContents<kDim, Element>;
    using Turned = TurnedContents<kDim, Element>;
    const int queries = from.shape.queries;
    if constexpr (Planes<Element>::kPlanes == 1 && kDim <= 64) {  // what fits into shared memory
      using Series = SeriesContents<kDim, Element>;
      const bool series = turned && from.scores.series != nullptr;
      if (series && output) return launch<RowsKernel<Series, kDim, Element, true>>(problem, queries, stream);
      if (series) return launch<RowsKernel<Series, kDim, Element, false>>(problem, queries, stream);
    }
    if (turned && output) return launch<RowsKernel<Turned, kDim, Element, true>>(problem, queries, stream);
    if (turned) return launch<RowsKernel<Turned, kDim, Element, false>>(problem, queries, stream);
    if (output) return launch<RowsKernel<Products, kDim, Element, true>>(problem, queries, stream);
    return launch<RowsKernel<Products, kDim, Element, false>>(problem, queries, stream);
  });
}

}  // namespace gpe::cuda
