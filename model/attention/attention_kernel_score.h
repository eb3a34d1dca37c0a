// Scores from contents for attention_kernel_body.h, in the namespace GPE_KERNELS_OF; and which keys are seen.
// Tests: tests/model/attention/attention_test.cpp
#pragma once

#include "model/attention/attention_kernel_vectors.h"

namespace gpe::model::GPE_KERNELS_OF {
namespace {

// tanh(content/cap)
template <class Real>
inline __attribute__((always_inline)) V<Real> saturation(const V<Real>& content, Real cap) {
  V<Real> twice = content * (Real(2) / cap);
  twice = twice > Real(80) ? splat(Real(80)) : twice;
  return Real(1) - Real(2) / (exponential(twice) + Real(1));
}

// A = gain·cap(content) + bias of row i.
template <class Real>
inline __attribute__((always_inline)) V<Real> score_of(const TileRows<Real>& tile, Int i, Int col,
                                                       V<Real> content) {
  if (tile.softcap != 0) content = tile.softcap * saturation<Real>(content, tile.softcap);
  if (tile.gain[i] != nullptr) content *= load(tile.gain[i] + col);
  if (tile.bias[i] != nullptr) content += load(tile.bias[i] + col);
  return content;
}

// For lanes from `col` on: whether the key is one of [begin, end).
template <class Real>
inline __attribute__((always_inline)) typename Lanes<Real>::Integers inside(Int col, Int begin, Int end) {
  using Integer = typename Lanes<Real>::Integer;
  const auto key = lane_numbers<Real>() + static_cast<Integer>(col);
  return (key >= static_cast<Integer>(begin)) & (key < static_cast<Integer>(end));
}

}  // namespace
}  // namespace gpe::model::GPE_KERNELS_OF
