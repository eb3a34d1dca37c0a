// The header of a safetensors file: from bytes to checked entries, and back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/data/tensor_view.h"

namespace gpe::model {

inline constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;  // that of the reference implementation
inline constexpr std::string_view kMetadataKey = "__metadata__";

/// A whole file in memory. The views point into `bytes`, in the order of their data.
struct SafetensorsContent {
  std::vector<TensorView> tensors;
  Metadata metadata;
};

/// @param source  names the file in messages
/// @throws theory::SpecError  one line: what is wrong, and where
SafetensorsContent parse_safetensors(std::span<const std::byte> bytes, const std::string& source);

/// The length and the JSON that stand before the tensors' bytes in this order, padded with spaces so that the
/// data begins at a multiple of 8.
std::string safetensors_header(std::span<const TensorView> tensors, const Metadata& metadata);

/// A name from a file for a message: in quotes, printable ASCII, at most 80 characters.
std::string quoted_name(const std::string& name);

/// Bytes of a tensor; nothing when a dimension is negative or the product does not fit into 63 bits.
std::optional<std::uint64_t> tensor_bytes(TensorType type, std::span<const std::int64_t> shape);

/// "F32 [2, 3]", for messages.
std::string describe(TensorType type, std::span<const std::int64_t> shape);

}  // namespace gpe::model
