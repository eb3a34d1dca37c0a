// Single queries in double precision, key by key: what theorems about one query are held against.
#pragma once

#include <vector>

#include "checks/content/entropy_band.h"
#include "model/attention/distance_buckets.h"
#include "model/attention/reference.h"
#include "probes/measure/score_columns.h"

namespace gpe::probes {

/// One query, at the distances n = first, first + 1, … that it sees.
struct RowProfile {
  std::int64_t first = 0;
  std::vector<double> content;  ///< before a soft cap
  std::vector<double> score;
  std::vector<double> weight;  ///< with the sink in the denominator
  double entropy = 0;          ///< of the tokens, in nats
};
/// Of the last query. @pre head.queries == 1
RowProfile row_profile(const model::ReferenceHead& head);

struct ContentRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool empty() const { return low > high; }
  void add(double content);
};

/// What was seen of one head at one length, over the queries that were taken in.
struct TestedRows {
  std::int64_t rows = 0;
  std::int64_t first = 0;  ///< the smallest distance
  double least_entropy = std::numeric_limits<double>::infinity();
  double largest_entropy = 0;
  double content_bound = 0;            ///< largest |c(n)|/w(n)
  std::vector<double> largest_weight;  ///< at n = first, first + 1, …
  std::vector<double> largest_beyond;  ///< Σ of the weights at distances > n
  std::vector<ContentRange> contents;  ///< by bucket of distance

  /// @param columns  of the same query, as for all that are taken in
  void add(const RowProfile& row, const ScoreColumns& columns, const model::DistanceBuckets& buckets);
};

/// What the contents of each bucket leave open of the scores of one query, in the order of distance.
/// Distances of one bucket whose ranges differ by no more than `tolerance`, or by what matters as little for
/// the entropy because their weights are small, are joined in one range that holds all of theirs.
/// @param tolerance  0: only equal ranges are joined
std::vector<checks::ScoreRange> score_ranges(const ScoreColumns& columns,
                                             const std::vector<ContentRange>& contents,
                                             const model::DistanceBuckets& buckets, double tolerance);

/// The largest weight that the key at each distance can have with |c(n)| <= B w(n):
/// e^{A+(n)}/(e^{A+(n)} + Σ_{m≠n} e^{A-(m)} + e^sink).
std::vector<double> reachable_weights(const ScoreColumns& columns, double content_bound);

}  // namespace gpe::probes
