// A kernel of this folder as a grid of blocks on the device. Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include <cuda_runtime.h>

#include "model/cuda/problem.h"

namespace gpe::cuda {

/// One block for each tile of 64 tokens, head and batch entry; the tiles with most to do first, of all heads.
template <class Kernel, class Problem>
__global__ void __launch_bounds__(Kernel::kWarps* kLanes)
    run_tiles(const __grid_constant__ Problem problem, int tiles) {
  extern __shared__ __align__(16) unsigned char memory[];
  Block block;
  const auto tile = static_cast<int>(Kernel::kLastFirst ? gridDim.y - 1 - blockIdx.y : blockIdx.y);
  Kernel{problem, *reinterpret_cast<typename Kernel::Shared*>(memory), static_cast<int>(blockIdx.z),
         static_cast<int>(blockIdx.x), tile}
      .run(block);
}

/// Null, or the error.
inline const char* error_of(cudaError_t code) {
  return code == cudaSuccess ? nullptr : cudaGetErrorString(code);
}

template <class Kernel, class Problem>
const char* launch(const Problem& problem, int tokens, void* stream) {
  int shared = static_cast<int>(sizeof(typename Kernel::Shared));
  if constexpr (requires { Kernel::shared_bytes(problem); }) shared = Kernel::shared_bytes(problem);
  const int tiles = (tokens + 63) / 64;
  void (*const kernel)(Problem, int) = run_tiles<Kernel, Problem>;
  if (const auto code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
      code != cudaSuccess) {
    cudaGetLastError();
    return "the device has too little shared memory for this head dimension and element type";
  }
  const dim3 grid(static_cast<unsigned>(problem.shape.heads), static_cast<unsigned>(tiles),
                  static_cast<unsigned>(problem.shape.batch));
  kernel<<<grid, Kernel::kWarps * kLanes, shared, static_cast<cudaStream_t>(stream)>>>(problem, tiles);
  return error_of(cudaGetLastError());
}

/// The kernels that are compiled: head dimensions are padded to the next of these.
template <class F>
const char* by_head_dim(int head_dim, const F& f) {
  if (head_dim <= 32) return f.template operator()<32>();
  if (head_dim <= 64) return f.template operator()<64>();
  return f.template operator()<128>();
}

// One file for each type of element.
template <class Element>
const char* attention_rows(const gpe_rows_problem& problem, void* stream);
template <class Element>
const char* attention_gradients(const gpe_gradient_problem& problem, void* stream);
template <class Element>
const char* attention_distances(const gpe_rows_problem& problem, float* parts, double* sums, void* stream);
template <class Element>
const char* attention_moments(const gpe_rows_problem& problem, float* moments, void* stream);

}  // namespace gpe::cuda
