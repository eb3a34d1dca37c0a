#include "model/cuda/device_kernels.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace gpe::model {

void* open_beside_program(const char* library, const char* variable) {
  std::vector<std::filesystem::path> places;
  if (const char* named = std::getenv(variable)) {
    places.emplace_back(named);
  } else {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    places = {program / library, program.parent_path() / "lib" / library};
  }
  for (const auto& place : places) {
    if (void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL)) return handle;
  }
  return nullptr;
}

namespace {

void* open_library() { return open_beside_program("libgpe_kernels.so", "GPE_KERNELS_LIBRARY"); }

template <class Function>
bool take(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::unique_ptr<const DeviceKernels> DeviceKernels::find(std::string& reason) {
  void* library = open_library();
  if (library == nullptr) {
    reason = "libgpe_kernels.so is not beside the program";
    return nullptr;
  }
  std::unique_ptr<DeviceKernels> result(new DeviceKernels(library));
  decltype(&gpe_kernels_version) version = nullptr;
  decltype(&gpe_device_count) count = nullptr;
  const bool complete =
      take(library, "gpe_kernels_version", version) && take(library, "gpe_device_count", count) &&
      take(library, "gpe_attention_rows", result->attention_rows) &&
      take(library, "gpe_gradient_workspace", result->gradient_workspace) &&
      take(library, "gpe_attention_gradients", result->attention_gradients) &&
      take(library, "gpe_cross_entropy", result->cross_entropy) && take(library, "gpe_turn", result->turn) &&
      take(library, "gpe_allocate", result->allocate) && take(library, "gpe_release", result->release) &&
      take(library, "gpe_copy_in", result->copy_in) && take(library, "gpe_copy_out", result->copy_out);
  if (!complete || version() != GPE_KERNELS_VERSION) {
    reason = "libgpe_kernels.so is of another version";
    return nullptr;
  }
  if (count() == 0) {
    reason = "no NVIDIA device of compute capability 8.0 or later, or no driver";
    return nullptr;
  }
  return result;
}

DeviceKernels::~DeviceKernels() {
  if (library_ != nullptr) dlclose(library_);
}

int device_library_version() {
  void* library = open_library();
  if (library == nullptr) return 0;
  decltype(&gpe_kernels_version) version = nullptr;
  const int result = take(library, "gpe_kernels_version", version) ? version() : 0;
  dlclose(library);
  return result;
}

}  // namespace gpe::model
