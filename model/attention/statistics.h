// What attention does, measured without its output: entropies, scores, and weights by distance, in one pass
// over tiles of keys, with memory that grows with the number of tokens and not with its square.
//
// With weights p_ij = e^{A_ij}/(Σ_j e^{A_ij} + e^sink) as in attention.h, and p̃ those of the tokens alone
// (p without a sink), the entropy of row i is log Σ_j e^{A_ij} - E_p̃ A_ij. It is summed up as
// Σ e^{A - m} (A - m) with the running maximum m, which loses no digits when scores are far from 0.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/attention/attention.h"
#include "model/attention/distance_buckets.h"

namespace gpe::model {

/// Of one query of one head. A row that sees no key has 0 everywhere, but minus infinity for its
/// log-normalizer and its largest score.
struct RowStatistics {
  double log_normalizer = 0;  ///< log(Σ_j e^{A_ij} + e^sink)
  double entropy = 0;         ///< of p̃, in nats
  double varentropy = 0;      ///< variance of log p̃ under p̃, in nats²
  double mean_distance = 0;   ///< E_p̃ (i - j), in tokens
  double largest_weight = 0;  ///< max_j p_ij
  double largest_score = 0;   ///< max_j A_ij
  double largest_content = 0;  ///< max_j |c_ij|, c = q'W(n)k/√d before a soft cap: the content bound it needs
  double sink_weight = 0;      ///< e^sink/(Σ_j e^{A_ij} + e^sink)
  std::int64_t keys = 0;       ///< how many it sees
};

struct AttentionStatistics {
  std::vector<RowStatistics> rows;        ///< [batch][head][query]
  std::vector<BucketStatistics> buckets;  ///< [batch][head][bucket]; empty without buckets
};

/// Which keys a query may see at all, apart from what the encoding lets it see: [begin, end), by
/// [batch][query]; empty: all. In packed documents `begin` is the first token of the query's document, with
/// padding the first real token; `end` ends the real tokens. A query with begin >= end sees nothing. L counts
/// from `begin`.
struct VisibleKeys {
  std::span<const std::int64_t> begin;
  std::span<const std::int64_t> end;
};

/// Real is what is computed in, Element what is read: (float, float), (double, double), (float, BFloat16).
/// The result does not depend on the number of threads.
/// @param heads    one per head; each of length >= shape.keys
/// @param buckets  null: none
template <class Real, class Element>
AttentionStatistics attention_statistics(const AttentionShape& shape,
                                         std::span<const HeadScores<Real>* const> heads,
                                         Strided<const Element> q, Strided<const Element> k,
                                         const VisibleKeys& visible, const DistanceBuckets* buckets,
                                         const Parallel& parallel);

}  // namespace gpe::model
