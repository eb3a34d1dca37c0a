// Sums by exact distance as the device makes them, on the CPU: the kernel, and then the tiles in their
// order.
#pragma once

#include "model/cuda/distances_kernel.h"
#include "tests/cuda/machine.h"

namespace gpe::tests {

/// @param sums  [batch][head][GPE_DISTANCE_SUMS][length]
template <class Contents, class Element>
void distances_by_lanes(const gpe_rows_problem& problem, double* sums) {
  const auto tiles = static_cast<std::size_t>((problem.shape.queries + 63) / 64);
  const auto heads = static_cast<std::size_t>(problem.shape.batch * problem.shape.heads);
  const auto of_tile = static_cast<std::size_t>(GPE_DISTANCE_SUMS * problem.scores.length);
  std::vector<float> parts(heads * tiles * of_tile);
  run_on_processor<cuda::DistancesKernel<Contents, Element>>(
      cuda::DistancesProblem<Element>{cuda::typed<Element>(problem), parts.data()}, static_cast<int>(tiles));
  for (std::size_t i = 0; i < heads * of_tile; ++i) {
    sums[i] = 0;
    for (std::size_t t = 0; t < tiles; ++t)
      sums[i] += static_cast<double>(parts[(i / of_tile * tiles + t) * of_tile + i % of_tile]);
  }
}

}  // namespace gpe::tests
