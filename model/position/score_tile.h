// The factors of a tile of scores, and their gradients, as the kernels read and add them.
// Tests: tests/model/attention/attention_test.cpp
#pragma once

#include <cstdint>

namespace gpe::model {

/// Rows of a tile of scores: query i against keys j0 … j0 + cols - 1. Pointers are to the entry of key j0.
template <class Real>
struct TileRows {
  static constexpr std::int64_t kMax = 64;
  std::int64_t rows = 0;
  std::int64_t cols = 0;     ///< a multiple of 16
  std::int64_t begin[kMax];  ///< keys [begin, end) of the tile are seen by the row
  std::int64_t end[kMax];
  const Real* bias[kMax];    ///< of the distance to each key; null: 0 everywhere
  const Real* gain[kMax];    ///< null: 1 everywhere
  const Real* cosine[kMax];  ///< of block 0; the next block is `block_stride` further
  const Real* sine[kMax];
  std::int64_t block_stride = 0;
  Real swap_sign = -1;  ///< of q₂k₁ in the sine part: -1 for rotations, 1 for hyperbolic blocks
  Real softcap = 0;     ///< 0: none

  /// The same rows at keys further on.
  void advance(std::int64_t keys) {
    for (auto* pointers : {bias, gain, cosine, sine}) {
      for (std::int64_t r = 0; r < rows; ++r) {
        if (pointers[r] != nullptr) pointers[r] += keys;
      }
    }
  }
};

/// Gradients that a backward pass adds up by distance; null where they are not needed.
template <class Real>
struct TileAdjoints {
  static constexpr std::int64_t kMax = TileRows<Real>::kMax;
  Real* bias[kMax];
  Real* gain[kMax];
  Real* cosine[kMax];
  Real* sine[kMax];
  Real* softcap = nullptr;  ///< one number

  void advance(std::int64_t rows, std::int64_t keys) {
    for (auto* pointers : {bias, gain, cosine, sine}) {
      for (std::int64_t r = 0; r < rows; ++r) {
        if (pointers[r] != nullptr) pointers[r] += keys;
      }
    }
  }
};

}  // namespace gpe::model
