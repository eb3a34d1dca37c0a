#include "model/cuda/device_kernels.h"
// Tests: tests/cuda/device_library_test.cpp
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "model/cuda/load_symbol.h"

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

}  // namespace

std::unique_ptr<const DeviceKernels> DeviceKernels::find(std::string& reason) {
  void* library = open_library();
  if (library == nullptr) {
    reason = "libgpe_kernels.so is not beside the program; a build after ./setup.sh --tests has it";
    return nullptr;
  }
  std::unique_ptr<DeviceKernels> result(new DeviceKernels(library));
  decltype(&gpe_kernels_version) version = nullptr;
  decltype(&gpe_device_count) count = nullptr;
  const auto take = [library](const char* name, auto& function) {
    return load_symbol(library, name, function);
  };
  const bool complete = take("gpe_kernels_version", version) && take("gpe_device_count", count) &&
                        take("gpe_attention_rows", result->attention_rows) &&
                        take("gpe_attention_moments", result->attention_moments) &&
                        take("gpe_distances_workspace", result->distances_workspace) &&
                        take("gpe_attention_distances", result->attention_distances) &&
                        take("gpe_gradient_workspace", result->gradient_workspace) &&
                        take("gpe_attention_gradients", result->attention_gradients) &&
                        take("gpe_cross_entropy", result->cross_entropy) && take("gpe_turn", result->turn) &&
                        take("gpe_allocate", result->allocate) && take("gpe_release", result->release) &&
                        take("gpe_copy_in", result->copy_in) && take("gpe_copy_out", result->copy_out);
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
  const int result = load_symbol(library, "gpe_kernels_version", version) ? version() : 0;
  dlclose(library);
  return result;
}

}  // namespace gpe::model
