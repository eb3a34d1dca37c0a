// An encoding as tables by distance, one row for each kind of head: what a program needs that has no
// formulas. Tests: tests/model/interop_export_test.py
#pragma once

#include <string>
#include <vector>

#include "model/training/checkpoint.h"

namespace gpe::model {

/// The columns of ScoreProgram at distances 0 … positions - 1, in float32 (0 below the first distance), equal
/// heads once. A table that would hold its neutral value alone (bias 0, gain 1, ...) is left out.
struct PositionTables {
  std::int64_t rows = 0;
  Content content = Content::dot_product;
  theory::Layout layout = theory::Layout::half;
  /// "position.row" [layers, heads], I64; "position.first" and "position.last" [rows], I64; of
  /// "position.bias" and
  /// ".gain" [rows, positions], ".even" and ".odd" [rows, blocks, positions], ".softcap" and ".sink" [rows]
  /// what is needed, F32.
  std::vector<NamedTensor> tensors;
};

/// @throws theory::SpecError  an encoding that reads L, the index of the query, elsewhere than in a gain of L
/// alone
PositionTables position_tables(const LoadedModel& model, std::int64_t positions);

}  // namespace gpe::model
