#include "model/gpt/accelerator.h"
// Tests: tests/cuda/device_found_test.cpp
#include <ATen/Context.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <cstdlib>

#include "theory/source/spec_error.h"

namespace gpe::model {

void* Accelerator::stream() const {
  if (device.is_cpu()) return nullptr;
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
}

void Accelerator::check(const char* error) {
  if (error != nullptr) throw std::runtime_error(error);
}

std::shared_ptr<const Accelerator> accelerator_option(const std::string& name, int local_rank) {
  if (name == "cpu") return nullptr;
  auto result = std::make_shared<Accelerator>();
  std::string reason;
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);  // what cuBLAS needs to compute in one order
  result->kernels = DeviceKernels::find(reason);
  if (result->kernels != nullptr) result->runtime = CudaRuntime::find(reason);
  if (result->runtime == nullptr) {
    if (name == "auto") return nullptr;
    throw theory::SpecError("--device cuda: " + reason);
  }
  const int index = local_rank % result->runtime->devices();
  result->runtime->use(index);
  result->device = at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(index));
  result->name = result->runtime->name(index);
  at::globalContext().setDeterministicAlgorithms(true, false);
  at::globalContext().setDeterministicFillUninitializedMemory(false);
  return result;
}

}  // namespace gpe::model
