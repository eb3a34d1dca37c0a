// Tests: tests/model/attention/attention_test.cpp
#include <cassert>
#include <cmath>
#include <limits>

#include "model/attention/attention_kernel.h"
#include "model/attention/pack.h"

namespace gpe::model {

namespace {

// K transposed and V of every head of every batch entry.
template <class Real>
struct PackedKeys {
  std::int64_t keys;  ///< padded
  std::int64_t row;   ///< head_dim, padded
  AlignedVector<Real> k, v;

  Real* k_of(std::int64_t which) { return k.data() + which * keys * row; }
  Real* v_of(std::int64_t which) { return v.data() + which * keys * row; }
};

template <class Real, class Element>
class Forward {
 public:
  Forward(const AttentionShape& shape, std::span<const HeadScores<Real>* const> heads,
          Strided<const Element> q, Strided<const Element> k, Strided<const Element> v, Strided<Element> out,
          const AttentionRows<Real>& rows)
      : shape_(shape), heads_(heads), q_(q), k_(k), v_(v), out_(out), rows_(rows), kernels_(kernels<Real>()) {
    packed_.keys = padded(shape.keys, kTileKeys);
    packed_.row = padded(shape.head_dim, 16);
    const auto size = static_cast<std::size_t>(shape.batch * shape.heads * packed_.keys * packed_.row);
    packed_.k.resize(size);
    packed_.v.resize(size);
  }

  void pack(std::int64_t which) {
    const std::int64_t b = which / shape_.heads;
    const std::int64_t h = which % shape_.heads;
    pack_keys(shape_, *heads_[static_cast<std::size_t>(h)], k_, b, h, packed_.keys, packed_.row,
              packed_.k_of(which));
    for (std::int64_t t = 0; t < shape_.keys; ++t) {
      const Element* from = v_.at(b, shape_.key_head(h), t);
      Real* to = packed_.v_of(which) + t * packed_.row;
      for (std::int64_t c = 0; c < shape_.head_dim; ++c) to[c] = static_cast<Real>(from[c]);
    }
  }

  std::int64_t tiles() const {  // of all heads and batch entries; heads may have different ones
    std::int64_t result = 0;
    for (const HeadScores<Real>* head : heads_) result += tiles_of(*head);
    return result * shape_.batch;
  }

  void tile(std::int64_t task) {
    std::int64_t which = 0;
    for (;; ++which) {
      const std::int64_t here = tiles_of(*heads_[static_cast<std::size_t>(which % shape_.heads)]);
      if (task < here) break;
      task -= here;
    }
    const HeadScores<Real>& head = *heads_[static_cast<std::size_t>(which % shape_.heads)];
    const std::int64_t last_first =
        tiles_of(head) - 1 - task;  // the longest first: they keep the threads busy to the end
    attend(which, head, last_first * rows_of(head));
  }

 private:
  std::int64_t rows_of(const HeadScores<Real>& head) const {
    return std::min(head.tile_rows(), padded(shape_.queries, 8));
  }
  std::int64_t tiles_of(const HeadScores<Real>& head) const {
    return (shape_.queries + rows_of(head) - 1) / rows_of(head);
  }

  void attend(std::int64_t which, const HeadScores<Real>& head, std::int64_t first) {
    constexpr std::int64_t most = TileRows<Real>::kMax;
    const std::int64_t b = which / shape_.heads;
    const std::int64_t h = which % shape_.heads;
    const std::int64_t row = packed_.row;
    const std::int64_t here = std::min(rows_of(head), shape_.queries - first);
    const std::int64_t position = shape_.offset() + first;
    TileRows<Real> tile;
    tile.rows = rows_of(head);
    tile.cols = kTileKeys;
    Real sink[most];
    HeadRows<Real> head_rows(head);
    head_rows.begin(position, tile, sink);

    const AlignedVector<Real> q = packed_queries(shape_, head, q_, b, h, first, here, tile.rows, row);
    AlignedVector<Real> sums(static_cast<std::size_t>(tile.rows * row));
    AlignedVector<Real> s(static_cast<std::size_t>(tile.rows * kTileKeys));
    Real max[most];
    Real sum[most];
    Real moment[most];
    Real factor[most];
    for (std::int64_t r = 0; r < tile.rows; ++r) {
      max[r] = -std::numeric_limits<Real>::infinity();
      sum[r] = moment[r] = 0;
    }

    const KeyRange keys = keys_of(head.program(), position, here);
    tile.advance(keys.begin);
    for (std::int64_t key = keys.begin; key < keys.end; key += kTileKeys) {
      see(head.program(), position, here, key, tile);
      contents(kernels_, head, tile, q.data(), row, packed_.k_of(which) + key, packed_.keys, s.data());
      kernels_.weights(tile, s.data(), kTileKeys, max, sum, rows_.entropy != nullptr ? moment : nullptr,
                       factor);
      for (std::int64_t r = 0; r < tile.rows; ++r) {
        if (factor[r] == Real(1)) continue;
        for (std::int64_t c = 0; c < row; ++c) sums[static_cast<std::size_t>(r * row + c)] *= factor[r];
      }
      kernels_.multiply(tile.rows, row, kTileKeys, s.data(), kTileKeys, 1, packed_.v_of(which) + key * row,
                        row, sums.data(), row, true);
      tile.advance(kTileKeys);
    }

    for (std::int64_t r = 0; r < here; ++r) {
      const std::int64_t at = which * shape_.queries + first + r;
      const bool sees = sum[r] != 0;  // also when it is NaN, which is to be seen
      const Real high = std::max(max[r], sink[r]);
      const Real mass = sees ? sum[r] * std::exp(max[r] - high) : Real(0);
      const Real all = mass + (sink[r] == high && std::isinf(high) ? Real(0) : std::exp(sink[r] - high));
      Element* to = out_.at(b, h, first + r);
      const Real factor_out = sees ? mass / sum[r] / all : Real(0);
      for (std::int64_t c = 0; c < shape_.head_dim; ++c) {
        to[c] =
            static_cast<Element>(sees ? sums[static_cast<std::size_t>(r * row + c)] * factor_out : Real(0));
      }
      if (rows_.log_normalizer != nullptr)
        rows_.log_normalizer[at] = sees ? high + std::log(all) : -std::numeric_limits<Real>::infinity();
      if (rows_.entropy != nullptr)
        rows_.entropy[at] = sees ? std::log(sum[r]) - moment[r] / sum[r] : Real(0);
      if (rows_.largest_score != nullptr) rows_.largest_score[at] = max[r];
    }
  }

  const AttentionShape& shape_;
  std::span<const HeadScores<Real>* const> heads_;
  Strided<const Element> q_, k_, v_;
  Strided<Element> out_;
  const AttentionRows<Real>& rows_;
  const Kernels<Real>& kernels_;
  PackedKeys<Real> packed_;
};

}  // namespace

template <class Real, class Element>
void attention_forward(const AttentionShape& shape, std::span<const HeadScores<Real>* const> heads,
                       Strided<const Element> q, Strided<const Element> k, Strided<const Element> v,
                       Strided<Element> out, const AttentionRows<Real>& rows, const Parallel& parallel) {
  assert(std::ssize(heads) == shape.heads && shape.head_dim % 2 == 0 && shape.queries <= shape.keys);
  Forward<Real, Element> forward(shape, heads, q, k, v, out, rows);
  parallel(shape.batch * shape.heads, [&](std::int64_t which) { forward.pack(which); });
  parallel(forward.tiles(), [&](std::int64_t task) { forward.tile(task); });
}

template decltype(attention_forward<float, float>) attention_forward<float, float>;
template decltype(attention_forward<double, double>) attention_forward<double, double>;
template decltype(attention_forward<float, BFloat16>) attention_forward<float, BFloat16>;

}  // namespace gpe::model
