#include "model/attention/distance_buckets.h"
// Tests: tests/model/attention/statistics_test.cpp
#include <algorithm>
#include <cassert>

namespace gpe::model {

DistanceBuckets::DistanceBuckets(std::vector<std::int64_t> edges) : edges_(std::move(edges)) {
  assert(!edges_.empty() && edges_.front() == 0);
  assert(std::ranges::adjacent_find(edges_, std::ranges::greater_equal()) == edges_.end());
}

DistanceBuckets DistanceBuckets::each(std::int64_t count) {
  std::vector<std::int64_t> edges;
  for (std::int64_t n = 0; n < std::max<std::int64_t>(count, 1); ++n) edges.push_back(n);
  return DistanceBuckets(std::move(edges));
}

DistanceBuckets DistanceBuckets::doubling(std::int64_t length) {
  std::vector<std::int64_t> edges = {0};
  for (std::int64_t edge = 1; edge < length; edge *= 2) edges.push_back(edge);
  return DistanceBuckets(std::move(edges));
}

std::size_t DistanceBuckets::of(std::int64_t distance) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(edges_, distance) - edges_.begin()) - 1;
}

void Spread::merge(const Spread& other) {
  if (other.count == 0) return;
  const double all = count + other.count;
  const double difference = other.mean - mean;
  squares += other.squares + difference * difference * (count * other.count / all);
  mean += difference * (other.count / all);
  count = all;
}

void BucketStatistics::merge(const BucketStatistics& other) {
  mass += other.mass;
  content.merge(other.content);
  score.merge(other.score);
  least_content = std::min(least_content, other.least_content);
  largest_content = std::max(largest_content, other.largest_content);
}

}  // namespace gpe::model
