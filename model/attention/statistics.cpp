#include "model/attention/statistics.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "model/attention/attention_kernel.h"
#include "model/attention/pack.h"

namespace gpe::model {

namespace {

constexpr std::int64_t kChunks =
    16;  // of the tiles of a head: what threads share out, and buckets are merged in
constexpr std::int64_t kTogether = 2;  // heads whose keys are packed at a time

BucketStatistics from(const BucketTotals& totals) {
  BucketStatistics result;
  if (totals.count == 0) return result;
  const auto spread = [&](double near, double sum, double squares) {
    return Spread{totals.count, near + sum / totals.count,
                  std::max(0.0, squares - sum * (sum / totals.count))};
  };
  result.content = spread(totals.content_near, totals.content, totals.content_squares);
  result.score = spread(totals.score_near, totals.score, totals.score_squares);
  result.least_content = totals.least_content;
  result.largest_content = totals.largest_content;
  return result;
}

template <class Real, class Element>
class Measured {
 public:
  Measured(const AttentionShape& shape, std::span<const HeadScores<Real>* const> heads,
           Strided<const Element> q, Strided<const Element> k, const VisibleKeys& visible,
           const DistanceBuckets* buckets)
      : shape_(shape),
        heads_(heads),
        q_(q),
        k_(k),
        visible_(visible),
        buckets_(buckets),
        kernels_(kernels<Real>()),
        keys_(padded(shape.keys, kTileKeys)),
        row_(padded(shape.head_dim, 16)),
        count_(buckets == nullptr ? 0 : std::ssize(buckets->edges())) {
    const std::int64_t all = shape.batch * shape.heads;
    packed_.resize(static_cast<std::size_t>(std::min(all, kTogether) * keys_ * row_));
    result_.rows.resize(static_cast<std::size_t>(all * shape.queries));
    parts_.resize(static_cast<std::size_t>(all * kChunks * count_));
  }

  void pack(std::int64_t which) {
    const std::int64_t b = which / shape_.heads;
    const std::int64_t h = which % shape_.heads;
    pack_keys(shape_, *heads_[static_cast<std::size_t>(h)], k_, b, h, keys_, row_, packed(which));
  }

  /// Of heads [first, first + kTogether), or what is left of them.
  std::int64_t together(std::int64_t first) const {
    return std::min(kTogether, shape_.batch * shape_.heads - first);
  }

  /// Every kChunks-th tile of one head.
  void measure(std::int64_t task) {
    const std::int64_t which = task / kChunks;
    const HeadScores<Real>& head = *heads_[static_cast<std::size_t>(which % shape_.heads)];
    const std::int64_t rows = std::min(head.tile_rows(), padded(shape_.queries, 8));
    std::vector<BucketTotals> totals(static_cast<std::size_t>(count_));
    std::vector<double> mass(static_cast<std::size_t>(count_));
    for (std::int64_t first = task % kChunks * rows; first < shape_.queries; first += kChunks * rows) {
      measure_tile(which, head, first, rows, totals, mass);
    }
    for (std::int64_t b = 0; b < count_; ++b) {
      const auto at = static_cast<std::size_t>(b);
      BucketStatistics& part = parts_[static_cast<std::size_t>(task * count_ + b)];
      part = from(totals[at]);
      part.mass = mass[at];
    }
  }

  AttentionStatistics result() {
    const std::int64_t all = shape_.batch * shape_.heads;
    result_.buckets.resize(static_cast<std::size_t>(all * count_));
    for (std::int64_t task = 0; task < all * kChunks; ++task) {
      for (std::int64_t b = 0; b < count_; ++b) {
        result_.buckets[static_cast<std::size_t>(task / kChunks * count_ + b)].merge(
            parts_[static_cast<std::size_t>(task * count_ + b)]);
      }
    }
    return std::move(result_);
  }

 private:
  Real* packed(std::int64_t which) { return packed_.data() + which % kTogether * keys_ * row_; }

  struct Seen {
    std::int64_t begin, end;
  };
  Seen seen(std::int64_t batch, std::int64_t query) const {
    const auto at = static_cast<std::size_t>(batch * shape_.queries + query);
    return {visible_.begin.empty() ? 0 : visible_.begin[at],
            visible_.end.empty() ? shape_.keys : visible_.end[at]};
  }

  void measure_tile(std::int64_t which, const HeadScores<Real>& head, std::int64_t first, std::int64_t rows,
                    std::vector<BucketTotals>& totals, std::vector<double>& mass) {
    constexpr std::int64_t most = TileRows<Real>::kMax;
    const std::int64_t b = which / shape_.heads;
    const std::int64_t h = which % shape_.heads;
    const std::int64_t here = std::min(rows, shape_.queries - first);
    const std::int64_t position = shape_.offset() + first;
    const ScoreProgram& program = head.program();

    Seen may_see[most];
    std::int64_t starts[most];
    KeyRange keys = keys_of(program, position, here);
    std::int64_t low = shape_.keys;
    std::int64_t high = 0;
    for (std::int64_t r = 0; r < rows; ++r) {
      may_see[r] = seen(b, std::min(first + r, shape_.queries - 1));
      starts[r] = may_see[r].begin;
      low = std::min(low, may_see[r].begin);
      high = std::max(high, may_see[r].end);
    }
    keys.begin = std::max(keys.begin, low / kTileKeys * kTileKeys);
    keys.end = std::min(keys.end, padded(high, kTileKeys));

    TileRows<Real> tile;
    tile.rows = rows;
    tile.cols = kTileKeys;
    Real sink[most];
    HeadRows<Real> head_rows(head);
    head_rows.begin(position, tile, sink, starts);
    const AlignedVector<Real> q = packed_queries(shape_, head, q_, b, h, first, here, rows, row_);

    TileSums<Real> sums;
    TileBuckets<Real> of_rows;
    std::vector<double> row_mass(static_cast<std::size_t>(rows * count_));
    std::int64_t visible_keys[most] = {};
    for (std::int64_t r = 0; r < rows; ++r) {
      sums.max[r] = -std::numeric_limits<Real>::infinity();
      sums.content[r] = 0;
      sums.mass[r] = sums.first[r] = sums.second[r] = sums.distance[r] = 0;
      of_rows.at[r] = count_ - 1;
    }
    if (buckets_ != nullptr) {
      of_rows.edges = buckets_->edges().data();
      of_rows.count = count_;
      of_rows.mass = row_mass.data();
      of_rows.totals = totals.data();
    }

    AlignedVector<Real> s(static_cast<std::size_t>(rows * kTileKeys));
    AlignedVector<Real> scores(s.size());
    tile.advance(keys.begin);
    for (std::int64_t key = keys.begin; key < keys.end; key += kTileKeys) {
      see(program, position, here, key, tile);
      std::int64_t distance[most];
      for (std::int64_t r = 0; r < rows; ++r) {
        tile.begin[r] = std::max(tile.begin[r], may_see[r].begin - key);
        tile.end[r] = std::min(tile.end[r], may_see[r].end - key);
        distance[r] = position + r - key;
        visible_keys[r] += std::max<std::int64_t>(0, tile.end[r] - tile.begin[r]);
      }
      contents(kernels_, head, tile, q.data(), row_, packed(which) + key, keys_, s.data());
      kernels_.observe(tile, s.data(), scores.data(), kTileKeys, distance, sums, of_rows);
      tile.advance(kTileKeys);
    }

    for (std::int64_t r = 0; r < here; ++r) {
      RowStatistics& row = result_.rows[static_cast<std::size_t>(which * shape_.queries + first + r)];
      row = finished(sums, r, static_cast<double>(sink[r]));
      row.keys = visible_keys[r];
      if (row.keys == 0) continue;
      for (std::int64_t c = 0; c < count_; ++c) {
        mass[static_cast<std::size_t>(c)] +=
            row_mass[static_cast<std::size_t>(r * count_ + c)] * row.largest_weight;
      }
    }
  }

  static RowStatistics finished(const TileSums<Real>& sums, std::int64_t r, double sink) {
    RowStatistics row;
    const double mass = sums.mass[r];
    row.largest_score = static_cast<double>(sums.max[r]);
    if (mass == 0) {
      row.log_normalizer = row.largest_score;
      return row;
    }
    if (std::isnan(mass)) {  // maxima pass over what is not a number
      row.log_normalizer = row.entropy = row.varentropy = row.mean_distance = row.largest_weight =
          row.largest_score = row.largest_content = row.sink_weight = mass;
      return row;
    }
    const double of_tokens = row.largest_score + std::log(mass);
    const double high = std::max(of_tokens, sink);
    row.log_normalizer = high + std::log(std::exp(of_tokens - high) + std::exp(sink - high));
    const double mean = sums.first[r] / mass;  // of A - max
    row.entropy = std::max(0.0, std::log(mass) - mean);
    row.varentropy = std::max(0.0, sums.second[r] / mass - mean * mean);
    row.mean_distance = sums.distance[r] / mass;
    row.largest_weight = std::exp(row.largest_score - row.log_normalizer);
    row.largest_content = static_cast<double>(sums.content[r]);
    row.sink_weight = std::exp(sink - row.log_normalizer);
    return row;
  }

  const AttentionShape& shape_;
  std::span<const HeadScores<Real>* const> heads_;
  Strided<const Element> q_, k_;
  const VisibleKeys& visible_;
  const DistanceBuckets* buckets_;
  const Kernels<Real>& kernels_;
  std::int64_t keys_;           ///< padded
  std::int64_t row_;            ///< head_dim, padded
  std::int64_t count_;          ///< of buckets
  AlignedVector<Real> packed_;  ///< keys of the heads measured together, transposed
  std::vector<BucketStatistics> parts_;
  AttentionStatistics result_;
};

}  // namespace

template <class Real, class Element>
AttentionStatistics attention_statistics(const AttentionShape& shape,
                                         std::span<const HeadScores<Real>* const> heads,
                                         Strided<const Element> q, Strided<const Element> k,
                                         const VisibleKeys& visible, const DistanceBuckets* buckets,
                                         const Parallel& parallel) {
  assert(std::ssize(heads) == shape.heads);
  [[maybe_unused]] const auto rows = static_cast<std::size_t>(shape.batch * shape.queries);
  assert(visible.begin.empty() || visible.begin.size() == rows);
  assert(visible.end.empty() || visible.end.size() == rows);
  Measured<Real, Element> measured(shape, heads, q, k, visible, buckets);
  for (std::int64_t first = 0; first < shape.batch * shape.heads; first += kTogether) {
    parallel(measured.together(first), [&](std::int64_t i) { measured.pack(first + i); });
    parallel(measured.together(first) * kChunks,
             [&](std::int64_t task) { measured.measure(first * kChunks + task); });
  }
  return measured.result();
}

template decltype(attention_statistics<float, float>) attention_statistics<float, float>;
template decltype(attention_statistics<double, double>) attention_statistics<double, double>;
template decltype(attention_statistics<float, BFloat16>) attention_statistics<float, BFloat16>;

}  // namespace gpe::model
