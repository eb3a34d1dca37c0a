// A score near infinity, with its conditions, minima, absolute values and tables decided: a smooth
// expression. Tests: tests/checks/sums/partial_sum_test.cpp
#pragma once

#include <cstdint>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

struct MonotoneTail {
  theory::Expr score;  ///< built from + * ^ log exp sin cos, and choices among waves (is_wave)
  std::int64_t from;   ///< equals the original at every integer n >= from
};

/// @throws theory::Undecided  for floors that keep stepping, conditions that do not settle, or only beyond
/// 2^40
MonotoneTail monotone_tail(const theory::Expr& score, std::int64_t first, const theory::Context& context);

}  // namespace gpe::checks
