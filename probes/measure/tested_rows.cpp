#include "probes/measure/tested_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

namespace gpe::probes {

namespace {

constexpr double kMaxTolerance = 1;  // of weights so small that they do not matter

}  // namespace

RowProfile row_profile(const model::ReferenceHead& head) {
  assert(head.queries == 1);
  const model::ReferenceOutput output = reference_forward(head);
  RowProfile row;
  row.first = head.program->first();
  row.entropy = output.entropy[0];
  const std::int64_t begin = std::max<std::int64_t>(0, head.keys - 1 - head.program->last());
  for (std::int64_t key = head.keys - 1 - row.first; key >= begin; --key) {
    const auto at = static_cast<std::size_t>(key);
    if (!std::isfinite(output.scores[at]))
      throw std::runtime_error("a score at distance " + std::to_string(head.keys - 1 - key) +
                               " is not a number");
    row.content.push_back(output.contents[at]);
    row.score.push_back(output.scores[at]);
    row.weight.push_back(output.weights[at]);
  }
  return row;
}

void ContentRange::add(double content) {
  low = std::min(low, content);
  high = std::max(high, content);
}

void TestedRows::add(const RowProfile& row, const ScoreColumns& columns,
                     const model::DistanceBuckets& buckets) {
  const std::size_t count = row.content.size();
  assert(count == columns.size());
  ++rows;
  first = columns.first;
  least_entropy = std::min(least_entropy, row.entropy);
  largest_entropy = std::max(largest_entropy, row.entropy);
  contents.resize(buckets.size());
  largest_weight.resize(count, 0.0);
  largest_beyond.resize(count, 0.0);
  double beyond = 0;
  for (std::size_t at = count; at-- > 0;) {
    contents[buckets.of(columns.distance(at))].add(row.content[at]);
    if (row.content[at] != 0)
      content_bound = std::max(content_bound, std::abs(row.content[at]) / columns.norm[at]);
    largest_weight[at] = std::max(largest_weight[at], row.weight[at]);
    largest_beyond[at] = std::max(largest_beyond[at], beyond);
    beyond += row.weight[at];
  }
}

std::vector<checks::ScoreRange> score_ranges(const ScoreColumns& columns,
                                             const std::vector<ContentRange>& contents,
                                             const model::DistanceBuckets& buckets, double tolerance) {
  std::vector<double> low(columns.size());
  std::vector<double> high(columns.size());
  double reference = -std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const ContentRange& range = contents[buckets.of(columns.distance(at))];
    assert(!range.empty());
    low[at] = columns.score(at, range.low);
    high[at] = columns.score(at, range.high);
    if (low[at] > high[at]) std::swap(low[at], high[at]);  // a negative gain
    reference = std::max(reference, low[at]);
  }
  std::vector<checks::ScoreRange> result;
  std::size_t begin = 0;   // of the distances joined last
  double highest_low = 0;  // of the lower ends of those
  double lowest_high = 0;  // of their upper ends
  for (std::size_t at = 0; at < columns.size(); ++at) {
    // a weight is at most e^{high - reference}
    const double slack =
        std::min(kMaxTolerance, tolerance * std::exp(std::min(20.0, (reference - high[at]) / 2)));
    const bool same_bucket =
        !result.empty() && buckets.of(columns.distance(begin)) == buckets.of(columns.distance(at));
    if (same_bucket) {
      checks::ScoreRange& last = result.back();
      const double next_low = std::min(last.low, low[at]);
      const double next_high = std::max(last.high, high[at]);
      const double spread_low = std::max(highest_low, low[at]) - next_low;
      const double spread_high = next_high - std::min(lowest_high, high[at]);
      if (std::max(spread_low, spread_high) <= std::max(slack, 0.0)) {
        highest_low = std::max(highest_low, low[at]);
        lowest_high = std::min(lowest_high, high[at]);  // the lowest of the upper ends
        last = {next_low, next_high, last.copies + 1};
        continue;
      }
    }
    begin = at;
    highest_low = low[at];
    lowest_high = high[at];
    result.push_back({low[at], high[at], 1});
  }
  return result;
}

std::vector<double> reachable_weights(const ScoreColumns& columns, double content_bound) {
  double top = columns.sink;
  for (std::size_t at = 0; at < columns.size(); ++at)
    top = std::max(top, columns.bias[at] + columns.amplitude(at, content_bound));
  double lowest = std::exp(columns.sink - top);
  for (std::size_t at = 0; at < columns.size(); ++at)
    lowest += std::exp(columns.bias[at] - columns.amplitude(at, content_bound) - top);
  std::vector<double> result;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const double amplitude = columns.amplitude(at, content_bound);
    const double high = std::exp(columns.bias[at] + amplitude - top);
    const double low = std::exp(columns.bias[at] - amplitude - top);
    result.push_back(high / (high + std::max(0.0, lowest - low)));
  }
  return result;
}

}  // namespace gpe::probes
