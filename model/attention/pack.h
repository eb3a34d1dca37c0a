// Between tensors of tokens and the matrices that the kernels multiply: one head of one batch entry, padded
// with zeros, converted, coordinates in the order (1 of every block, 2 of every block), turned by position
// where that is possible. Tests: tests/model/attention/attention_test.cpp
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "model/attention/attention.h"

namespace gpe::model {

inline constexpr std::int64_t kTileKeys = 64;

inline std::int64_t padded(std::int64_t count, std::int64_t to) { return (count + to - 1) / to * to; }

/// What happens to the coordinates of q and k on their way in, and is undone for gradients on their way out.
template <class Real>
class Coordinates {
 public:
  Coordinates(const HeadScores<Real>& scores, std::int64_t head_dim)
      : scores_(&scores),
        blocks_(head_dim / 2),
        turns_(scores.turns_separately()),
        interleaved_((turns_ || scores.turns_pairs()) &&
                     scores.program().layout() == theory::Layout::interleaved) {}

  /// row = scale·(token, turned by its position)
  template <class Element>
  void in(const Element* token, std::int64_t position, Real scale, Real* row) const {
    for (std::int64_t j = 0; j < blocks_; ++j) {
      const Real x1 = static_cast<Real>(token[interleaved_ ? 2 * j : j]) * scale;
      const Real x2 = static_cast<Real>(token[interleaved_ ? 2 * j + 1 : blocks_ + j]) * scale;
      const Real cosine = turns_ ? scores_->position_cosine(position)[j] : Real(1);
      const Real sine = turns_ ? scores_->position_sine(position)[j] : Real(0);
      row[j] = x1 * cosine - x2 * sine;
      row[blocks_ + j] = x1 * sine + x2 * cosine;
    }
  }

  /// The transpose of in(): token = scale·(row, turned back). `row_step` from one coordinate to the next.
  template <class Element>
  void out(const Real* row, std::int64_t row_step, std::int64_t position, Real scale, Element* token) const {
    for (std::int64_t j = 0; j < blocks_; ++j) {
      const Real x1 = row[j * row_step] * scale;
      const Real x2 = row[(blocks_ + j) * row_step] * scale;
      const Real cosine = turns_ ? scores_->position_cosine(position)[j] : Real(1);
      const Real sine = turns_ ? scores_->position_sine(position)[j] : Real(0);
      token[interleaved_ ? 2 * j : j] = static_cast<Element>(x1 * cosine + x2 * sine);
      token[interleaved_ ? 2 * j + 1 : blocks_ + j] = static_cast<Element>(x2 * cosine - x1 * sine);
    }
  }

 private:
  const HeadScores<Real>* scores_;
  std::int64_t blocks_;
  bool turns_;
  bool interleaved_;
};

/// to (columns×rows) = from (rows×columns) transposed, in blocks that stay in cache.
template <class Real>
void transpose(const Real* from, std::int64_t rows, std::int64_t columns, std::int64_t from_row, Real* to,
               std::int64_t to_row) {
  constexpr std::int64_t block = 16;
  for (std::int64_t i0 = 0; i0 < rows; i0 += block) {
    for (std::int64_t j0 = 0; j0 < columns; j0 += block) {
      for (std::int64_t j = j0; j < j0 + block; ++j) {
        for (std::int64_t i = i0; i < i0 + block; ++i) to[j * to_row + i] = from[i * from_row + j];
      }
    }
  }
}

/// The keys of one head, turned and transposed: a row per coordinate, a column per key.
/// @param to  row×columns
template <class Real, class Element>
void pack_keys(const AttentionShape& shape, const HeadScores<Real>& scores, Strided<const Element> k,
               std::int64_t batch, std::int64_t head, std::int64_t columns, std::int64_t row, Real* to) {
  const Coordinates<Real> coordinates(scores, shape.head_dim);
  AlignedVector<Real> rows(static_cast<std::size_t>(columns * row));
  for (std::int64_t t = 0; t < shape.keys; ++t) {
    coordinates.in(k.at(batch, shape.key_head(head), t), t, Real(1), rows.data() + t * row);
  }
  transpose(rows.data(), columns, row, row, to, columns);
}

/// The queries of a tile, scaled and turned, a row each; zeros after the first `count`.
template <class Real, class Element>
AlignedVector<Real> packed_queries(const AttentionShape& shape, const HeadScores<Real>& scores,
                                   Strided<const Element> q, std::int64_t batch, std::int64_t head,
                                   std::int64_t first, std::int64_t count, std::int64_t rows,
                                   std::int64_t row) {
  const Coordinates<Real> coordinates(scores, shape.head_dim);
  const Real scale = Real(1) / std::sqrt(static_cast<Real>(shape.head_dim));
  AlignedVector<Real> result(static_cast<std::size_t>(rows * row));
  for (std::int64_t r = 0; r < count; ++r) {
    coordinates.in(q.at(batch, head, first + r), shape.offset() + first + r, scale, result.data() + r * row);
  }
  return result;
}

/// The keys of the tiles that queries first … first + rows - 1 see: [begin, end), multiples of kTileKeys.
struct KeyRange {
  std::int64_t begin;
  std::int64_t end;
};
inline KeyRange keys_of(const ScoreProgram& program, std::int64_t first_query, std::int64_t rows) {
  const std::int64_t low = first_query - program.last();
  const std::int64_t high = first_query + rows - 1 - program.first();
  return {low > 0 ? low / kTileKeys * kTileKeys : 0, high < 0 ? 0 : padded(high + 1, kTileKeys)};
}

/// Which keys of the tile at `first_key` each query sees; none from query `queries` on.
template <class Real>
void see(const ScoreProgram& program, std::int64_t first_query, std::int64_t queries, std::int64_t first_key,
         TileRows<Real>& tile) {
  const auto inside = [](std::int64_t key) { return std::clamp<std::int64_t>(key, 0, kTileKeys); };
  for (std::int64_t r = 0; r < tile.rows; ++r) {
    const std::int64_t i = first_query + r;
    const bool real = r < queries;
    tile.begin[r] = real ? inside(i - program.last() - first_key) : 0;
    tile.end[r] = real ? inside(i - program.first() + 1 - first_key) : 0;
  }
}

/// S = the contents of a tile. q: rows×row; k_transposed: row×keys, at the first key of the tile.
template <class Real>
void contents(const Kernels<Real>& kernels, const HeadScores<Real>& scores, const TileRows<Real>& tile,
              const Real* q, std::int64_t row, const Real* k_transposed, std::int64_t keys, Real* s) {
  if (scores.program().content() == Content::none) {
    for (std::int64_t at = 0; at < tile.rows * kTileKeys; ++at) s[at] = 0;
  } else if (scores.turns_pairs()) {
    kernels.turned_scores(tile, scores.program().blocks(), q, row, k_transposed, keys, s, kTileKeys);
  } else {
    kernels.multiply(tile.rows, kTileKeys, row, q, row, 1, k_transposed, keys, s, kTileKeys, false);
  }
}

}  // namespace gpe::model
