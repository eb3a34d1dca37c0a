// The upper half of a float, as tensors of reduced precision store it.
// Tests: tests/model/attention/attention_test.cpp
#pragma once

#include <bit>
#include <cstdint>

namespace gpe::model {

struct BFloat16 {
  std::uint16_t bits = 0;

  BFloat16() = default;
  /// To the nearest, ties to even; NaN stays NaN.
  explicit BFloat16(float value) {
    const auto wide = std::bit_cast<std::uint32_t>(value);
    bits = static_cast<std::uint16_t>(value != value ? (wide >> 16) | 0x40U
                                                     : (wide + 0x7FFFU + ((wide >> 16) & 1U)) >> 16);
  }
  explicit operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

}  // namespace gpe::model
