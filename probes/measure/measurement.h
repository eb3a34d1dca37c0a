// What is measured of a model's heads, by length. Aggregation is part of every name.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "model/attention/statistics.h"
#include "probes/measure/tested_rows.h"

namespace gpe::probes {

/// Of numbers that come one by one.
struct Summary {
  std::int64_t count = 0;
  double sum = 0;
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  double mean() const { return sum / static_cast<double>(count); }
  void add(double number);
};

struct RowSummary {
  Summary entropy, varentropy, mean_distance, largest_weight, largest_score, largest_content, sink_weight;
  void add(const model::RowStatistics& row);
};

/// Of one head, over the windows that were read, at one length of T tokens. Rows are queries, counted from 0.
struct LengthMeasurement {
  std::int64_t length = 0;                       ///< T; L = T - 1
  RowSummary last_row;                           ///< row T - 1, over windows
  RowSummary second_half;                        ///< rows T/2 … T - 1, over rows and windows
  std::vector<double> window_entropy;            ///< of each window, the mean of the second half's
  std::vector<model::BucketStatistics> buckets;  ///< all rows below T, over rows and windows
  TestedRows tested;                             ///< row T - 1, in double precision, over windows
};

struct HeadMeasurement {
  std::vector<LengthMeasurement> lengths;
  double square_query = 0;  ///< E|q|², over all tokens of all windows
  double square_key = 0;    ///< E|k|²
};

struct Measurement {
  std::size_t windows = 0;
  std::vector<std::vector<HeadMeasurement>> heads;  ///< [layer][head]
};

}  // namespace gpe::probes
