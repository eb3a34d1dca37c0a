#include "model/data/tensor_type.h"
// Tests: tests/model/data/safetensors_test.cpp
#include <algorithm>

namespace gpe::model {
namespace {

struct NameAndSize {
  std::string_view name;
  std::size_t size;
};

// In the order of the enumeration.
constexpr std::array<NameAndSize, kTensorTypes.size()> kRows = {{
    {"F64", 8},
    {"F32", 4},
    {"F16", 2},
    {"BF16", 2},
    {"I64", 8},
    {"I32", 4},
    {"I16", 2},
    {"I8", 1},
    {"U8", 1},
    {"BOOL", 1},
}};

const NameAndSize& row(TensorType type) { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace

std::string_view name_of(TensorType type) { return row(type).name; }
std::size_t size_of(TensorType type) { return row(type).size; }

std::optional<TensorType> tensor_type(std::string_view name) {
  const auto* const found =
      std::ranges::find_if(kTensorTypes, [&](TensorType type) { return name_of(type) == name; });
  if (found == kTensorTypes.end()) return std::nullopt;
  return *found;
}

}  // namespace gpe::model
