// Products of tiles: 16 rows of a warp, held in registers, with 64 tokens in shared memory.
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/block.h"

namespace gpe::cuda {

/// 16 rows × 64 tokens, as eight fragments: part c of fragment f is row g + 8(c/2), token 8f + 2t + c%2.
using RowTile = Lanes<float>[8][4];

/// The row of 16, and the token of 64, of a part of a fragment.
GPE_KERNEL Lanes<int> row_of(int part) { return lane_id() / Lanes<int>(4) + Lanes<int>(part / 2 * 8); }
GPE_KERNEL Lanes<int> token_of(int fragment, int part) {
  return lane_id() % Lanes<int>(4) * Lanes<int>(2) + Lanes<int>(fragment * 8 + part % 2);
}

template <int kFragments>
GPE_KERNEL void clear(Lanes<float> (&tile)[kFragments][4]) {
  GPE_UNROLL
  for (int f = 0; f < kFragments; ++f) {
    GPE_UNROLL
    for (int c = 0; c < 4; ++c) tile[f][c] = Lanes<float>(0.0F);
  }
}

/// 16 rows of a tile of tokens as the left operand.
template <int kDim, class Element>
struct RowOperand {
  using Tile = TokenTile<kDim, Element>;
  static constexpr int kSteps = kDim / 16;

  Words of[Tile::kPlanes][kSteps][4];

  GPE_KERNEL void load(const Tile& tile, int warp) {
    const Lanes<int> lane = lane_id();
    const Lanes<int> row = lane % Lanes<int>(16) + Lanes<int>(warp * 16);
    const Lanes<int> place = row * Lanes<int>(Tile::kStride) + lane / Lanes<int>(16) * Lanes<int>(8);
    GPE_UNROLL
    for (int p = 0; p < Tile::kPlanes; ++p) {
      GPE_UNROLL
      for (int k = 0; k < kSteps; ++k) load_matrices(of[p][k], tile.plane(p), place + Lanes<int>(16 * k));
    }
  }
};

/// c += rows·tileᵀ
template <int kDim, class Element>
GPE_KERNEL void multiply_rows(RowTile& c, const RowOperand<kDim, Element>& rows,
                              const TokenTile<kDim, Element>& tile) {
  using Tile = TokenTile<kDim, Element>;
  const Lanes<int> lane = lane_id();
  // matrices: tokens 0-7 with coordinates 0-7 and 8-15, then tokens 8-15
  const Lanes<int> token = lane % Lanes<int>(8) + lane / Lanes<int>(16) * Lanes<int>(8);
  const Lanes<int> place =
      token * Lanes<int>(Tile::kStride) + lane / Lanes<int>(8) % Lanes<int>(2) * Lanes<int>(8);
  each_product<Tile::kPlanes>([&](int a, int b) {
    GPE_UNROLL
    for (int k = 0; k < kDim / 16; ++k) {
      GPE_UNROLL
      for (int f = 0; f < 8; f += 2) {
        Words right[4];
        load_matrices(right, tile.plane(b), place + Lanes<int>(f * 8 * Tile::kStride + 16 * k));
        multiply<Planes<Element>::kHalf>(c[f], rows.of[a][k], right[0], right[1]);
        multiply<Planes<Element>::kHalf>(c[f + 1], rows.of[a][k], right[2], right[3]);
      }
    }
  });
}

/// out += weights·tile: 16 × 64 times 64 × kDim.
template <int kDim, class Element>
GPE_KERNEL void multiply_weights(Lanes<float> (&out)[kDim / 8][4], const RowTile& weights,
                                 const TokenTile<kDim, Element>& tile) {
  using Tile = TokenTile<kDim, Element>;
  const Lanes<int> lane = lane_id();
  // matrices: tokens 0-7 and 8-15 of coordinates 0-7, then of coordinates 8-15; transposed when loaded
  const Lanes<int> token = lane % Lanes<int>(16);
  const Lanes<int> place = token * Lanes<int>(Tile::kStride) + lane / Lanes<int>(16) * Lanes<int>(8);
  GPE_UNROLL
  for (int k = 0; k < 4; ++k) {  // 16 tokens: two fragments of weights are one of a left operand
    Words left[Tile::kPlanes][4];
    GPE_UNROLL
    for (int part = 0; part < 4; ++part) {
      const int f = 2 * k + part / 2, c = part % 2 * 2;
      Words planes[Tile::kPlanes];
      to_planes<Element>(weights[f][c], weights[f][c + 1], planes);
      GPE_UNROLL
      for (int p = 0; p < Tile::kPlanes; ++p) left[p][part] = planes[p];
    }
    each_product<Tile::kPlanes>([&](int a, int b) {
      GPE_UNROLL
      for (int f = 0; f < kDim / 8; f += 2) {
        Words right[4];
        load_transposed(right, tile.plane(b), place + Lanes<int>(16 * k * Tile::kStride + f * 8));
        multiply<Planes<Element>::kHalf>(out[f], left[a], right[0], right[1]);
        multiply<Planes<Element>::kHalf>(out[f + 1], left[a], right[2], right[3]);
      }
    });
  }
}

}  // namespace gpe::cuda
