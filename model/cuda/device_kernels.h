// The kernels of gpe_kernels.h, loaded when the program runs: nothing else of CUDA is needed to build or
// start a program.
#pragma once

#include <memory>
#include <string>

#include "model/cuda/gpe_kernels.h"

namespace gpe::model {

class DeviceKernels {
 public:
  /// libgpe_kernels.so beside the program, in ../lib, or where the environment variable GPE_KERNELS_LIBRARY
  /// says.
  /// @param reason  why there are none: no library, another version, no device of sm_80 or later
  /// @return null when there are none
  static std::unique_ptr<const DeviceKernels> find(std::string& reason);
  /// None, for functions of another origin.
  DeviceKernels() = default;
  ~DeviceKernels();
  DeviceKernels(const DeviceKernels&) = delete;
  DeviceKernels& operator=(const DeviceKernels&) = delete;

  decltype(&gpe_attention_rows) attention_rows = nullptr;
  decltype(&gpe_attention_moments) attention_moments = nullptr;
  decltype(&gpe_distances_workspace) distances_workspace = nullptr;
  decltype(&gpe_attention_distances) attention_distances = nullptr;
  decltype(&gpe_gradient_workspace) gradient_workspace = nullptr;
  decltype(&gpe_attention_gradients) attention_gradients = nullptr;
  decltype(&gpe_cross_entropy) cross_entropy = nullptr;
  decltype(&gpe_turn) turn = nullptr;
  decltype(&gpe_allocate) allocate = nullptr;
  decltype(&gpe_release) release = nullptr;
  decltype(&gpe_copy_in) copy_in = nullptr;
  decltype(&gpe_copy_out) copy_out = nullptr;

 private:
  explicit DeviceKernels(void* library) : library_(library) {}
  void* library_ = nullptr;
};

/// dlopen of a library beside the program, in ../lib, or where the environment variable says. Null: dlerror()
/// says why.
void* open_beside_program(const char* library, const char* variable);

/// The library itself, without a device: which version it is of. 0: there is none.
int device_library_version();

}  // namespace gpe::model
