// Sums over the pairs of a tile that have the same distance: rows keep a tile in shared memory, and then each
// lane of the four warps has one of the 127 diagonals, in the order of its rows.
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/score_tile.h"

namespace gpe::cuda {

/// 64 × 64 numbers, a column more than that apart, so that neighbouring diagonals lie in different banks.
struct SquareTile {
  static constexpr int kStride = kTile + 1;
  float numbers[kTile * kStride];

  /// 16 rows of a warp.
  GPE_KERNEL void keep(const RowTile& tile, int warp) {
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c) {
        const Lanes<int> at = (row_of(c) + Lanes<int>(warp * 16)) * Lanes<int>(kStride) + token_of(f, c);
        store_if(at >= Lanes<int>(0), numbers, wide(at), tile[f][c]);
      }
    }
  }
};

struct Diagonals {
  Lanes<int> diagonal, distance;
  Lanes<bool> there;  ///< the distance is one of the tables'

  /// @param least_distance  first query - first key - 63, of positions
  GPE_KERNEL static Diagonals of(int warp, int least_distance, int length) {
    Diagonals result;
    result.diagonal = lane_id() + Lanes<int>(warp * kLanes);
    result.distance = result.diagonal + Lanes<int>(least_distance);
    result.there = result.distance >= Lanes<int>(0) && result.distance < Lanes<int>(length) &&
                   result.diagonal < Lanes<int>(kDistances - 1);
    return result;
  }
  GPE_KERNEL Lanes<int> token(int row) const { return Lanes<int>(row + kTile - 1) - diagonal; }
  GPE_KERNEL static Lanes<bool> inside(Lanes<int> token) {
    return token >= Lanes<int>(0) && token < Lanes<int>(kTile);
  }
  /// The number of a row on the diagonal; `otherwise` where there is none.
  GPE_KERNEL Lanes<float> number(const SquareTile& tile, int row, float otherwise) const {
    const Lanes<int> column = token(row);
    return load_if(inside(column), static_cast<const float*>(tile.numbers),
                   wide(column + Lanes<int>(row * SquareTile::kStride)), Lanes<float>(otherwise));
  }
  GPE_KERNEL Lanes<float> sum(const SquareTile& tile) const {
    Lanes<float> result(0.0F);
    for (int row = 0; row < kTile; ++row) result += number(tile, row, 0.0F);
    return result;
  }
  /// Adds to the entries of a table by distance: no other block has this table.
  GPE_KERNEL void add_to(float* table, Lanes<float> sums) const {
    store_if(there, table, wide(distance),
             load_if(there, static_cast<const float*>(table), wide(distance), Lanes<float>(0.0F)) + sums);
  }
};

}  // namespace gpe::cuda
