// The C interface: checks what it is given, and picks the kernels.
// Tests: tests/cuda/device_library_test.cpp, tests/cuda/cross_entropy_kernel_test.cpp
#include "model/cuda/gpe_kernels.h"

#include <cuda_runtime.h>

#include "model/cuda/cross_entropy_kernel.h"
#include "model/cuda/gradient_problem.h"
#include "model/cuda/launch.cuh"
#include "model/cuda/turn_tokens.h"

namespace gpe::cuda {

namespace {

template <class F>
const char* by_element(gpe_element element, const F& f) {
  switch (element) {
    case GPE_BFLOAT16:
      return f(BFloat16{});
    case GPE_FLOAT16:
      return f(Half{});
    case GPE_FLOAT32:
      return f(0.0F);
  }
  return "element: expected GPE_BFLOAT16, GPE_FLOAT16 or GPE_FLOAT32";
}

const char* check(const gpe_shape& shape, const gpe_score_tables& tables) {
  if (shape.batch < 1 || shape.heads < 1 || shape.queries < 1 || shape.keys < shape.queries)
    return "shape: expected batch, heads and queries of at least 1, and no more queries than keys";
  if (shape.group < 1 || shape.heads % shape.group != 0) return "shape: heads are not a multiple of group";
  if (shape.head_dim < 8 || shape.head_dim > 128 || shape.head_dim % 8 != 0)
    return "shape: expected a head_dim that is a multiple of 8, at most 128";
  if (shape.batch > 65535) return "shape: more than 65,535 batch entries";
  if (shape.keys > 65535 * 64) return "shape: more than 4,194,240 keys";
  if (tables.table_heads != 1 && tables.table_heads != shape.heads)
    return "scores: expected one table, or one for each head";
  if (tables.length < shape.keys) return "scores: the tables are shorter than the keys";
  if (tables.gain == nullptr || tables.bias == nullptr || tables.first == nullptr || tables.last == nullptr)
    return "scores: gain, bias, first and last are needed";
  if ((tables.cosine == nullptr) != (tables.sine == nullptr)) return "scores: cosine and sine go together";
  return nullptr;
}

const char* check(const gpe_tensor& tensor) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(tensor.data) % 16 == 0 && tensor.batch % 8 == 0 &&
                       tensor.head % 8 == 0 && tensor.token % 8 == 0;
  return aligned ? nullptr : "tensor: expected data aligned to 16 bytes, and strides that are multiples of 8";
}

template <class Element>
__global__ void turn(Tensor<Element> tokens, int heads, int count, int first, const double* angles,
                     int blocks, int interleaved, int sign) {
  const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (at >= std::int64_t{heads} * count * blocks) return;
  const auto block = static_cast<int>(at % blocks);
  const auto token = static_cast<int>(at / blocks % count);
  const auto head = static_cast<int>(at / blocks / count);
  Element* data = tokens.data + blockIdx.y * tokens.batch + head * tokens.head + token * tokens.token;
  turn_block(data, block, blocks, sign * angles[block] * (first + token), interleaved != 0);
}

/// One block per row.
template <class Element>
__global__ void run_cross_entropy(const __grid_constant__ gpe_cross_entropy_problem problem) {
  __shared__ typename CrossEntropyKernel<Element>::Shared shared;
  Block block;
  CrossEntropyKernel<Element>{problem, shared, static_cast<int>(blockIdx.x)}.run(block);
}

}  // namespace

}  // namespace gpe::cuda

using namespace gpe::cuda;

extern "C" {

int32_t gpe_kernels_version(void) { return GPE_KERNELS_VERSION; }

int32_t gpe_device_count(void) {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) return 0;
  int able = 0;
  for (int device = 0; device < count; ++device) {
    int major = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) == cudaSuccess &&
        major >= 8)
      ++able;
  }
  return able;
}

const char* gpe_attention_rows(const gpe_rows_problem* problem, gpe_element element, void* stream) {
  if (const char* error = check(problem->shape, problem->scores)) return error;
  for (const gpe_tensor* tensor : {&problem->q, &problem->k, &problem->v, &problem->out})
    if (const char* error = check(*tensor)) return error;
  if (problem->buckets.count < 0 || problem->buckets.count > 32) return "buckets: expected at most 32";
  return by_element(element,
                    [&]<class Element>(Element) { return attention_rows<Element>(*problem, stream); });
}

const char* gpe_attention_moments(const gpe_rows_problem* problem, float* moments, gpe_element element,
                                  void* stream) {
  if (const char* error = check(problem->shape, problem->scores)) return error;
  for (const gpe_tensor* tensor : {&problem->q, &problem->k})
    if (const char* error = check(*tensor)) return error;
  if (problem->buckets.count < 1 || problem->buckets.count > 32) return "buckets: expected 1 to 32";
  return by_element(
      element, [&]<class Element>(Element) { return attention_moments<Element>(*problem, moments, stream); });
}

int64_t gpe_distances_workspace(const gpe_rows_problem* problem) {
  const gpe_shape& shape = problem->shape;
  return int64_t{shape.batch} * shape.heads * ((shape.queries + 63) / 64) * GPE_DISTANCE_SUMS *
         problem->scores.length;
}

const char* gpe_attention_distances(const gpe_rows_problem* problem, float* workspace, double* sums,
                                    gpe_element element, void* stream) {
  if (const char* error = check(problem->shape, problem->scores)) return error;
  for (const gpe_tensor* tensor : {&problem->q, &problem->k})
    if (const char* error = check(*tensor)) return error;
  if (problem->rows.log_normalizer == nullptr || workspace == nullptr || sums == nullptr)
    return "log_normalizer, workspace and sums are needed";
  if (std::int64_t{problem->shape.batch} * problem->shape.heads > 65535)
    return "shape: more than 65,535 heads of all batch entries";
  return by_element(element, [&]<class Element>(Element) {
    return attention_distances<Element>(*problem, workspace, sums, stream);
  });
}

int64_t gpe_gradient_workspace(const gpe_gradient_problem* problem) {
  const gpe_shape& shape = problem->shape;
  const int64_t heads = int64_t{shape.batch} * shape.heads;
  const int64_t tables = heads * ((shape.queries + 63) / 64) * problem->scores.length;
  return 2 * heads * shape.queries + (problem->gain != nullptr ? tables : 0) +
         (problem->bias != nullptr ? tables : 0) +
         (problem->transform != nullptr ? transform_slice(shape, problem->scores.length) *
                                              transform_parts(shape, problem->scores.length)
                                        : 0);
}

const char* gpe_attention_gradients(const gpe_gradient_problem* problem, gpe_element element, void* stream) {
  if (const char* error = check(problem->shape, problem->scores)) return error;
  if (problem->shape.group != 1 || problem->shape.queries != problem->shape.keys)
    return "shape: gradients need as many queries as keys, and as many heads of k as of q";
  for (const gpe_tensor* tensor :
       {&problem->q, &problem->k, &problem->v, &problem->out, &problem->out_gradient, &problem->q_gradient,
        &problem->k_gradient, &problem->v_gradient})
    if (const char* error = check(*tensor)) return error;
  if (problem->log_normalizer == nullptr || problem->workspace == nullptr)
    return "log_normalizer and workspace are needed";
  if (problem->row_gradients.entropy != nullptr && problem->entropy == nullptr)
    return "a loss that reads entropies needs those that forward left";
  if (problem->transform != nullptr && problem->scores.cosine == nullptr)
    return "transform: only pairs that are turned by their own angle have gradients of it";
  return by_element(element,
                    [&]<class Element>(Element) { return attention_gradients<Element>(*problem, stream); });
}

const char* gpe_cross_entropy(const gpe_cross_entropy_problem* problem, gpe_element element, void* stream) {
  if (problem->rows < 1 || problem->rows > 2147483647 || problem->vocabulary < 1)
    return "cross entropy: expected at least one row and one word";
  return by_element(element, [&]<class Element>(Element) {
    run_cross_entropy<Element>
        <<<static_cast<unsigned>(problem->rows), CrossEntropyKernel<Element>::kWarps * kLanes, 0,
           static_cast<cudaStream_t>(stream)>>>(*problem);
    return error_of(cudaGetLastError());
  });
}

const char* gpe_turn(const gpe_shape* shape, const gpe_tensor* tokens, int32_t heads, int32_t count,
                     int32_t first, const double* angles, int32_t interleaved, int32_t sign,
                     gpe_element element, void* stream) {
  const int blocks = shape->head_dim / 2;
  return by_element(element, [&]<class Element>(Element) {
    const std::int64_t threads = std::int64_t{heads} * count * blocks;
    const dim3 grid(static_cast<unsigned>((threads + 127) / 128), static_cast<unsigned>(shape->batch));
    turn<Element><<<grid, 128, 0, static_cast<cudaStream_t>(stream)>>>(
        writing<Element>(*tokens), heads, count, first, angles, blocks, interleaved, sign);
    return error_of(cudaGetLastError());
  });
}

const char* gpe_allocate(void** to, int64_t bytes) {
  return error_of(cudaMalloc(to, static_cast<std::size_t>(bytes)));
}

const char* gpe_release(void* memory) { return error_of(cudaFree(memory)); }

const char* gpe_copy_in(void* to, const void* from, int64_t bytes) {
  return error_of(cudaMemcpy(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice));
}

const char* gpe_copy_out(void* to, const void* from, int64_t bytes) {
  if (const char* error = error_of(cudaDeviceSynchronize())) return error;
  return error_of(cudaMemcpy(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost));
}

}  // extern "C"
