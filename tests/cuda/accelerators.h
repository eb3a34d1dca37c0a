// Where the tests of models on devices run: the kernels lane by lane on the CPU, and a device where
// there is one.
#pragma once

#include <memory>
#include <vector>

#include "model/gpt/accelerator.h"
#include "tests/cuda/lane_kernels.h"
#include "tests/model/small_model.h"

namespace gpe::tests {

inline std::shared_ptr<const model::Accelerator> lanes(
    std::shared_ptr<model::CudaRuntime> runtime = nullptr) {
  auto result = std::make_shared<model::Accelerator>();
  result->name = "lanes";
  result->kernels = lane_kernels();
  result->runtime = std::move(runtime);
  return result;
}

/// To be asked for before LibTorch is asked for anything.
inline const std::vector<std::shared_ptr<const model::Accelerator>>& accelerators() {
  static const auto result = [] {
    at::set_num_threads(1);  // tensors this small gain nothing from threads
    std::vector<std::shared_ptr<const model::Accelerator>> found = {lanes()};
    if (auto device = model::accelerator_option("auto")) found.push_back(device);
    return found;
  }();
  return result;
}

/// The small model with heads of 16 coordinates, as wide as the kernels lane by lane take them.
inline model::TsmConfig wide(const std::string& encoding, const std::vector<std::string>& learned = {},
                             const std::string& dtype = "float32") {
  model::TsmConfig config = small(encoding, dtype);
  config.model.width = 32;
  config.position.learned = learned;
  return config;
}

}  // namespace gpe::tests
