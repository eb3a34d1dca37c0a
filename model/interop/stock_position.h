// Whether the scores of a model are those of GPT-2 or GPT-NeoX.
// Tests: tests/model/interop/interop_test.cpp, tests/model/interop_export_test.py
#pragma once

#include <optional>
#include <string>

#include "model/training/checkpoint.h"

namespace gpe::model {

/// Blocks j < turned/2 turn by base^(-2j/turned)·n/factor, the others not at all.
struct StockRotation {
  double base = 10000;
  std::int64_t turned = 0;
  double factor = 1;
  theory::Layout layout = theory::Layout::half;

  bool operator==(const StockRotation&) const = default;
};

struct StockPosition {
  std::string other;                      ///< why the scores are neither; empty: they are
  std::optional<StockRotation> rotation;  ///< nothing: plain dot products
};

/// A(n) = c(n), without bias, gain, window, cap and sink, of plain or stock rotated vectors, the same in
/// every head and at every distance below `positions`. Frequencies are those of a base within 1e-12 of
/// themselves.
StockPosition stock_position(const LoadedModel& model, std::int64_t positions);

}  // namespace gpe::model
