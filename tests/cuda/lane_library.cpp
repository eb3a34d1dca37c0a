// The C interface of gpe_kernels.h, lane by lane on the CPU: what tests/bench/device is rehearsed with.
#include "tests/cuda/lane_kernels.h"

namespace {

const gpe::model::DeviceKernels& kernels() {
  static const auto instance = gpe::tests::lane_kernels();
  return *instance;
}

}  // namespace

extern "C" {

int32_t gpe_kernels_version(void) { return GPE_KERNELS_VERSION; }
const char* gpe_attention_rows(const gpe_rows_problem* problem, gpe_element element, void* stream) {
  return kernels().attention_rows(problem, element, stream);
}
const char* gpe_attention_moments(const gpe_rows_problem* problem, float* moments, gpe_element element,
                                  void* stream) {
  return kernels().attention_moments(problem, moments, element, stream);
}
int64_t gpe_distances_workspace(const gpe_rows_problem* problem) {
  return kernels().distances_workspace(problem);
}
const char* gpe_attention_distances(const gpe_rows_problem* problem, float* workspace, double* sums,
                                    gpe_element element, void* stream) {
  return kernels().attention_distances(problem, workspace, sums, element, stream);
}
int64_t gpe_gradient_workspace(const gpe_gradient_problem* problem) {
  return kernels().gradient_workspace(problem);
}
const char* gpe_attention_gradients(const gpe_gradient_problem* problem, gpe_element element, void* stream) {
  return kernels().attention_gradients(problem, element, stream);
}
const char* gpe_cross_entropy(const gpe_cross_entropy_problem* problem, gpe_element element, void* stream) {
  return kernels().cross_entropy(problem, element, stream);
}
const char* gpe_turn(const gpe_shape* shape, const gpe_tensor* tokens, int32_t heads, int32_t count,
                     int32_t first, const double* angles, int32_t interleaved, int32_t sign,
                     gpe_element element, void* stream) {
  return kernels().turn(shape, tokens, heads, count, first, angles, interleaved, sign, element, stream);
}
}
