#include "model/gpt/cuda_runtime.h"
// Tests: tests/cuda/device_found_test.cpp
#include "checks/cli/version.h"
#include "model/cuda/device_kernels.h"
#include "model/cuda/load_symbol.h"

namespace gpe::model {

std::shared_ptr<CudaRuntime> CudaRuntime::find(std::string& reason) {
  void* library = open_beside_program("libgpe_cuda.so", "GPE_CUDA_LIBRARY");
  if (library == nullptr) {
    const char* error = dlerror();
    reason = std::string("libgpe_cuda.so cannot be loaded") + (error != nullptr ? ": " : "") +
             (error != nullptr ? error : "");
    return nullptr;
  }
  using Begin = void (*)(const char* version, std::shared_ptr<CudaRuntime>& result, std::string& reason);
  Begin begin = nullptr;
  if (!load_symbol(library, "gpe_begin_cuda", begin)) {
    reason = "libgpe_cuda.so is of another version";
    return nullptr;
  }
  std::shared_ptr<CudaRuntime> result;
  begin(std::string(kVersion).c_str(), result, reason);
  return result;  // the library stays until the program ends
}

}  // namespace gpe::model
