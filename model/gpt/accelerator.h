// Where a model computes when it is not the CPU: an NVIDIA device.
#pragma once

#include <memory>
#include <string>

#include "model/cuda/device_kernels.h"
#include "model/gpt/cuda_runtime.h"

namespace gpe::model {

/// A device, and what computes attention and cross entropies on it. Tests put the CPU here, with the
/// same kernels lane by lane.
struct Accelerator {
  at::Device device = at::kCPU;
  std::string name;
  std::shared_ptr<const DeviceKernels> kernels;
  std::shared_ptr<CudaRuntime> runtime;  ///< null: work is not recorded

  /// Of this thread, as the kernels take it.
  void* stream() const;
  /// @throws std::runtime_error  the error of a kernel, unless it is null
  static void check(const char* error);
};

/// "cpu": null. "cuda": a device, or an error that says what is missing. "auto": a device where there is one.
/// On the device everything is computed in one order: the same bits every time.
/// @param local_rank  of the ranks on this machine: each takes a device of its own
/// @throws theory::SpecError
std::shared_ptr<const Accelerator> accelerator_option(const std::string& name, int local_rank = 0);

}  // namespace gpe::model
