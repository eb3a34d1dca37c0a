// Distances n = i - j sorted into classes, and what is counted in each of them.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gpe::model {

/// Classes of distances: [edge 0, edge 1), [edge 1, edge 2), …, [last edge, ∞).
class DistanceBuckets {
 public:
  /// @param edges  ascending, the first is 0
  explicit DistanceBuckets(std::vector<std::int64_t> edges);
  /// One class per distance below `count`; the last one also holds all larger distances.
  static DistanceBuckets each(std::int64_t count);
  /// 0, 1, 2–3, 4–7, …: the distance itself, then doubled until `length` distances are covered.
  static DistanceBuckets doubling(std::int64_t length);

  std::span<const std::int64_t> edges() const { return edges_; }
  std::size_t size() const { return edges_.size(); }
  std::size_t of(std::int64_t distance) const;

 private:
  std::vector<std::int64_t> edges_;
};

/// Count, mean, and the sum of squared differences from the mean, of numbers that come in parts.
struct Spread {
  double count = 0;
  double mean = 0;
  double squares = 0;

  double variance() const { return count > 0 ? squares / count : 0; }
  /// Chan, Golub and LeVeque 1979: no cancellation, however far the mean is from 0.
  void merge(const Spread& other);
};

/// What was seen of the pairs of one head at the distances of a bucket, over all queries.
struct BucketStatistics {
  double mass = 0;  ///< sum of weights, over queries
  Spread content;   ///< c = q'W(n)k/√d, before a soft cap
  Spread score;     ///< A = gain·cap(c) + bias
  double least_content = std::numeric_limits<double>::infinity();
  double largest_content = -std::numeric_limits<double>::infinity();

  std::int64_t count() const { return static_cast<std::int64_t>(content.count); }
  void merge(const BucketStatistics& other);
};

}  // namespace gpe::model
