#include "probes/measure/measurement.h"
// Tests: tests/probes/run/transformer_probe_test.cpp
#include <algorithm>

namespace gpe::probes {

void Summary::add(double number) {
  ++count;
  sum += number;
  least = std::min(least, number);
  largest = std::max(largest, number);
}

void RowSummary::add(const model::RowStatistics& row) {
  entropy.add(row.entropy);
  varentropy.add(row.varentropy);
  mean_distance.add(row.mean_distance);
  largest_weight.add(row.largest_weight);
  largest_score.add(row.largest_score);
  largest_content.add(row.largest_content);
  sink_weight.add(row.sink_weight);
}

}  // namespace gpe::probes
