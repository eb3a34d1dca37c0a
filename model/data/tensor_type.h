// The element types that tensor files here may hold.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gpe::model {

enum class TensorType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

inline constexpr std::array kTensorTypes = {
    TensorType::f64, TensorType::f32, TensorType::f16, TensorType::bf16, TensorType::i64,
    TensorType::i32, TensorType::i16, TensorType::i8,  TensorType::u8,   TensorType::boolean,
};

/// The name in a safetensors file: "F32", "BF16", "BOOL", ...
std::string_view name_of(TensorType type);
std::optional<TensorType> tensor_type(std::string_view name);
/// Bytes of one element.
std::size_t size_of(TensorType type);

}  // namespace gpe::model
