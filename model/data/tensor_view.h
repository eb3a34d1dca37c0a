// A named tensor in memory, and what a file says beside its tensors.
// Tests: tests/model/data/safetensors_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "model/data/tensor_type.h"

namespace gpe::model {

/// A tensor somewhere in memory: row-major, little-endian, not necessarily aligned to its element.
struct TensorView {
  std::string name;
  TensorType type = TensorType::f32;
  std::vector<std::int64_t> shape;  ///< no dimension: a scalar
  std::span<const std::byte> bytes;
};

using Metadata = std::map<std::string, std::string>;

}  // namespace gpe::model
