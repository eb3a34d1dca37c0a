// From contents to scores: the factors of the 127 distances of a tile, and which keys a row sees.
// Tests: tests/cuda/certified_tiles_test.cpp
#pragma once

#include "model/cuda/online_rows.h"
#include "model/cuda/problem.h"

namespace gpe::cuda {

inline constexpr int kTile = 64;              // queries of a block, and keys of a tile
inline constexpr int kDistances = 2 * kTile;  // of a tile, and one more

/// Of the pairs of 64 queries and 64 keys.
GPE_KERNEL int least_distance(const Shape& shape, int first_query, int first_key) {
  return first_query + offset_of(shape) - first_key - (kTile - 1);
}
/// The number of 64 queries of a head: [batch][head][tile].
GPE_KERNEL std::int64_t tile_number(const Shape& shape, int batch, int head, int tile) {
  const int tiles = (shape.queries + kTile - 1) / kTile;
  return (static_cast<std::int64_t>(batch) * shape.heads + head) * tiles + tile;
}

/// (gain, bias) by distance - (first query - first key - 63), in shared memory.
struct FactorSlice {
  alignas(8) float numbers[2 * kDistances];

  GPE_KERNEL void load(Lanes<float> (&factors)[2], Lanes<int> at) const {
    load_pair(factors, numbers, at * Lanes<int>(2));
  }

  /// Begins to fetch them; warps share that. Then commit and wait, and a sync.
  template <int kWarps>
  GPE_KERNEL void fetch(Block& block, int warp, const ScoreTables& tables, int head, int least_distance) {
    const std::int64_t table = static_cast<std::int64_t>(table_of(tables, head)) * tables.length;
    GPE_UNROLL
    for (int i = 0; i < kDistances / kLanes; i += kWarps) {
      if (i + warp >= kDistances / kLanes) continue;
      const Lanes<int> at = lane_id() + Lanes<int>((i + warp) * kLanes);
      const Lanes<int> distance =
          smaller(larger(at + Lanes<int>(least_distance), Lanes<int>(0)), Lanes<int>(tables.length - 1));
      block.copy_number(warp, numbers, at * Lanes<int>(2), tables.gain + table, wide(distance));
      block.copy_number(warp, numbers, at * Lanes<int>(2) + Lanes<int>(1), tables.bias + table,
                        wide(distance));
    }
  }
};

/// The keys [begin, end) that each of the two rows of a lane sees.
struct SeenKeys {
  Lanes<int> begin[2], end[2];

  /// Rows from `queries` on see nothing.
  GPE_KERNEL void set(const Shape& shape, const ScoreTables& tables, const Visible& visible, int batch,
                      int head, int first_query, int warp) {
    const int first = tables.first[table_of(tables, head)], last = tables.last[table_of(tables, head)];
    GPE_UNROLL
    for (int r = 0; r < 2; ++r) {
      const Lanes<int> query = row_of(2 * r) + Lanes<int>(first_query + warp * 16);
      const Lanes<int> position = query + Lanes<int>(offset_of(shape));
      const Lanes<bool> there = query < Lanes<int>(shape.queries);
      begin[r] = larger(position - Lanes<int>(last), Lanes<int>(0));
      end[r] = smaller(position - Lanes<int>(first - 1), Lanes<int>(shape.keys));
      const Lanes<std::int64_t> row =
          wide(query) + Lanes<std::int64_t>(static_cast<std::int64_t>(batch) * shape.queries);
      if (visible.begin != nullptr)
        begin[r] = larger(begin[r], load_if(there, visible.begin, row, Lanes<int>(0)));
      if (visible.end != nullptr) end[r] = smaller(end[r], load_if(there, visible.end, row, Lanes<int>(0)));
      end[r] = select(there, end[r], Lanes<int>(0));
    }
  }
  /// @param part  of a fragment
  GPE_KERNEL Lanes<bool> sees(int part, const Lanes<int>& key) const {
    return key >= begin[part / 2] && key < end[part / 2];
  }
  GPE_KERNEL bool whole_tile(int first_key) const {
    return all(begin[0] <= Lanes<int>(first_key) && begin[1] <= Lanes<int>(first_key) &&
               end[0] >= Lanes<int>(first_key + kTile) && end[1] >= Lanes<int>(first_key + kTile));
  }
};

/// `unseen` in the place of what belongs to keys that are not seen.
GPE_KERNEL void mask(RowTile& tile, const SeenKeys& seen, int first_key, float unseen) {
  GPE_UNROLL
  for (int f = 0; f < 8; ++f) {
    GPE_UNROLL
    for (int c = 0; c < 4; ++c) {
      const Lanes<int> key = token_of(f, c) + Lanes<int>(first_key);
      tile[f][c] = select(seen.sees(c, key), tile[f][c], Lanes<float>(unseen));
    }
  }
}

/// The tiles of keys [begin, end) that queries first … first + 63 of a block may see.
struct TileRange {
  int begin, end;

  GPE_KERNEL static TileRange of_queries(const Shape& shape, const ScoreTables& tables,
                                         const Visible& visible, int batch, int head, int first_query) {
    const int first = tables.first[table_of(tables, head)], last = tables.last[table_of(tables, head)];
    const int end_query = first_query + kTile < shape.queries ? first_query + kTile : shape.queries;
    int low = first_query + offset_of(shape) - last, high = end_query + offset_of(shape) - first;
    if (visible.begin != nullptr || visible.end != nullptr) {
      int least = shape.keys, most = 0;
      for (int query = first_query; query < end_query; ++query) {
        const std::int64_t row = static_cast<std::int64_t>(batch) * shape.queries + query;
        const int from = visible.begin != nullptr ? visible.begin[row] : 0;
        const int to = visible.end != nullptr ? visible.end[row] : shape.keys;
        least = from < least ? from : least;
        most = to > most ? to : most;
      }
      low = least > low ? least : low;
      high = most < high ? most : high;
    }
    low = low > 0 ? low : 0;
    high = high < shape.keys ? high : shape.keys;
    const int begin = low / kTile, end = (high + kTile - 1) / kTile;
    return {begin, end > begin ? end : begin};
  }
};

/// Scores of a tile in the place of its contents, times log2 e; -2e30 where a key is not seen.
/// @param contents  q'W(n)k, without 1/√d
GPE_KERNEL void to_scores(RowTile& contents, const FactorSlice& factors, const SeenKeys& seen, float scale,
                          float softcap, int warp, int first_key) {
  if (softcap > 0) {
    GPE_UNROLL
    for (int f = 0; f < 8; ++f) {
      GPE_UNROLL
      for (int c = 0; c < 4; ++c)
        contents[f][c] = Lanes<float>(softcap) * tanh_of(contents[f][c] * Lanes<float>(scale / softcap));
    }
    scale = 1;
  }
  // as in load_transform: row + 8 and token + 8 have the distance of row and token
  const Lanes<int> from = row_of(0) + Lanes<int>(warp * 16 + kTile - 1) - token_of(0, 0);
  GPE_UNROLL
  for (int slot = 0; slot < 9; ++slot) {
    GPE_UNROLL
    for (int c = 0; c < 2; ++c) {
      Lanes<float> factor[2];
      factors.load(factor, from - Lanes<int>(8 * (slot - 1) + c));
      factor[0] *= Lanes<float>(scale);
      GPE_UNROLL
      for (int r = 0; r < 2; ++r) {
        const int f = slot - 1 + r;
        if (f < 0 || f > 7) continue;
        contents[f][2 * r + c] = multiply_add(factor[0], contents[f][2 * r + c], factor[1]);
      }
    }
  }
  if (seen.whole_tile(first_key)) return;
  mask(contents, seen, first_key, kMasked);
}

/// Of each pair of a tile, its content before the soft cap, and its score times log2 e:
/// f(fragment, part, content, score).
/// @param products  q'W(n)k, without 1/√d
template <class F>
GPE_KERNEL void each_score(const RowTile& products, const FactorSlice& factors, const ScoreTables& tables,
                           int head, int warp, const F& f) {
  const float softcap = softcap_of(tables, head);
  GPE_UNROLL
  for (int fragment = 0; fragment < 8; ++fragment) {
    GPE_UNROLL
    for (int c = 0; c < 4; ++c) {
      const Lanes<int> at = row_of(c) + Lanes<int>(warp * 16 + kTile - 1) - token_of(fragment, c);
      const Lanes<float> content = products[fragment][c] * Lanes<float>(tables.scale);
      Lanes<float> capped = content;
      if (softcap > 0) capped = Lanes<float>(softcap) * tanh_of(content * Lanes<float>(1 / softcap));
      Lanes<float> factor[2];
      factors.load(factor, at);
      f(fragment, c, content, multiply_add(factor[0], capped, factor[1]));
    }
  }
}

}  // namespace gpe::cuda
