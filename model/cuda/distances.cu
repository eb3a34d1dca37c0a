// Sums by exact distance, of all types of element. Tests: tests/cuda/distances_kernel_test.cpp
#include "model/cuda/distances_kernel.h"
#include "model/cuda/launch.cuh"
#include "model/cuda/sum_tables.cuh"

namespace gpe::cuda {

template <class Element>
const char* attention_distances(const gpe_rows_problem& from, float* parts, double* sums, void* stream) {
  const auto cuda_stream = static_cast<cudaStream_t>(stream);
  const Shape& shape = from.shape;
  const int tiles = (shape.queries + kTile - 1) / kTile, length = from.scores.length;
  const int heads = shape.batch * shape.heads;
  const std::size_t bytes = sizeof(float) * static_cast<std::size_t>(heads) *
                            static_cast<std::size_t>(tiles) * GPE_DISTANCE_SUMS *
                            static_cast<std::size_t>(length);
  if (const char* error = error_of(cudaMemsetAsync(parts, 0, bytes, cuda_stream))) return error;
  const DistancesProblem<Element> problem{typed<Element>(from), parts};
  const char* error = by_head_dim(shape.head_dim, [&]<int kDim>() {
    using Products = ProductContents<kDim, Element>;
    using Turned = TurnedContents<kDim, Element>;
    if (from.scores.cosine != nullptr)
      return launch<DistancesKernel<Turned, Element>>(problem, shape.queries, stream);
    return launch<DistancesKernel<Products, Element>>(problem, shape.queries, stream);
  });
  if (error != nullptr) return error;
  const dim3 grid(static_cast<unsigned>((length + 127) / 128), GPE_DISTANCE_SUMS,
                  static_cast<unsigned>(heads));
  sum_tables<<<grid, 128, 0, cuda_stream>>>(parts, sums, 1, heads, tiles, GPE_DISTANCE_SUMS, length, heads);
  return error_of(cudaGetLastError());
}

template const char* attention_distances<BFloat16>(const gpe_rows_problem&, float*, double*, void*);
template const char* attention_distances<Half>(const gpe_rows_problem&, float*, double*, void*);
template const char* attention_distances<float>(const gpe_rows_problem&, float*, double*, void*);

}  // namespace gpe::cuda
