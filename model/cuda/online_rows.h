// The running sums of softmax for the two rows that a lane holds, in base 2: with y = x - max,
//   mass = Σ 2^y, first = Σ 2^y y, second = Σ 2^y y², where = Σ 2^y n, n the distance of the key.
// Each of the four lanes of a row sums up its own keys; the maximum is that of the row. A masked score is
// -2e30 and the first maximum -1e30, so that it counts for nothing and nothing is infinite.
// Tests: tests/cuda/rows_kernel_test.cpp
#pragma once

#include "model/cuda/products.h"

namespace gpe::cuda {

inline constexpr float kMasked = -2e30F;
inline constexpr float kNoMaximum = -1e30F;

/// Which sums are kept: mass alone; entropies and distances; varentropies, too.
enum class RowSums { mass, first, second };

struct OnlineRow {
  Lanes<float> max, mass, first, second, where, content;

  GPE_KERNEL void clear() {
    max = Lanes<float>(kNoMaximum);
    mass = first = second = where = content = Lanes<float>(0.0F);
  }

  /// Takes in a larger maximum; the result is what earlier sums are multiplied with.
  template <RowSums kSums>
  GPE_KERNEL Lanes<float> raise(Lanes<float> to) {
    const Lanes<float> d = larger(max - to, Lanes<float>(-1000.0F));  // 2^-1000 is 0 already
    const Lanes<float> shrink = exp2_of(d);
    if constexpr (kSums == RowSums::second) second = shrink * (second + d * (first + first + d * mass));
    if constexpr (kSums != RowSums::mass) {
      first = shrink * (first + d * mass);
      where *= shrink;
    }
    mass *= shrink;
    max = to;
    return shrink;
  }

  /// The sums of the whole row, in every lane of it.
  GPE_KERNEL void finish() {
    mass = row_sum(mass);
    first = row_sum(first);
    second = row_sum(second);
    where = row_sum(where);
    content = row_max(content);
  }
};

/// Raises the largest content so far, by its absolute value; those of keys that are not seen are 0.
GPE_KERNEL void keep_largest(OnlineRow (&rows)[2], const RowTile& contents) {
  GPE_UNROLL
  for (int f = 0; f < 8; ++f) {
    GPE_UNROLL
    for (int c = 0; c < 4; ++c) {
      Lanes<float>& largest = rows[c / 2].content;
      largest = larger(largest, absolute(contents[f][c]));
    }
  }
}

/// Adds a tile of scores to both rows, and turns them into 2^(x - max).
/// @param distance  of the first row from the first key of the tile
/// @param shrink    what sums that the caller keeps of each row are to be multiplied with
template <RowSums kSums>
GPE_KERNEL void add_tile(OnlineRow (&rows)[2], RowTile& scores, int distance, Lanes<float> (&shrink)[2]) {
  GPE_UNROLL
  for (int r = 0; r < 2; ++r) {
    OnlineRow& row = rows[r];
    Lanes<float> top = row.max;
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) top = larger(top, larger(scores[f][2 * r], scores[f][2 * r + 1]));
    shrink[r] = row.raise<kSums>(row_max(top));
    Lanes<float> mass(0.0F), nearer(0.0F);  // by how much nearer than the lane's first key
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 2 * r; c < 2 * r + 2; ++c) {
        const Lanes<float> y = scores[f][c] - row.max;
        const Lanes<float> e = exp2_of(y);
        mass += e;
        if constexpr (kSums != RowSums::mass) {
          nearer = multiply_add(e, Lanes<float>(static_cast<float>(8 * f + c % 2)), nearer);
          const Lanes<float> ey = e * y;
          row.first += ey;
          if constexpr (kSums == RowSums::second) row.second = multiply_add(ey, y, row.second);
        }
        scores[f][c] = e;
      }
    }
    row.mass += mass;
    if constexpr (kSums != RowSums::mass) {
      const Lanes<float> farthest = to_float(row_of(2 * r) - token_of(0, 0) + Lanes<int>(distance));
      row.where += mass * farthest - nearer;
    }
  }
}

}  // namespace gpe::cuda
