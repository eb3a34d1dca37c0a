// The columns of one head at every distance that an exported model has.
// Tests: tests/model/interop_export_test.py, tests/model/interop/interop_test.cpp
#pragma once

#include <array>
#include <vector>

#include "model/position/head_scores.h"
#include "model/training/checkpoint.h"

namespace gpe::model {

/// Of a ScoreProgram at the values that were learned; by [block][distance] for kCosine and kSine, by
/// [distance] for kBias and kGain, one number for kSoftcap and kSink. Empty: neutral (bias 0, gain 1, no
/// turning, cap or sink).
struct HeadColumns {
  std::array<std::vector<float>, ScoreProgram::kOutputs> values;
  std::vector<float> query_gain;  ///< by L, the index of the query: a gain that is not a function of n
  std::int64_t first = 0;
  std::int64_t last = ScoreProgram::kNoLast;

  bool operator==(const HeadColumns&) const = default;
};

/// @throws theory::SpecError  a head that reads L, the index of the query, elsewhere than in a gain of L
/// alone
HeadColumns head_columns(const LoadedModel& model, int layer, int head, std::int64_t positions);

}  // namespace gpe::model
