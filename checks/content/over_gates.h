// What a bound on the content gives over all gates along the path (theorem P3, docs/theorems.md).
// Tests: tests/checks/content/over_gates_test.cpp
#pragma once

#include <vector>

#include "checks/content/effective_window.h"
#include "checks/content/entropy_band.h"

namespace gpe::checks {

struct OverGates {
  EntropyBand band;             ///< the infimum and the supremum over all gates and contents, each enclosed
  std::vector<BigCount> reach;  ///< one for each weight
};

/// The band: its upper end is that of the constant gate at the upper end of the interval where the scores of
/// that gate fall; otherwise it is between that and what scores between those of the constant gates at both
/// ends can have. The lower end is between the latter and that of the constant gate at the lower end; it is 0
/// where gates have no least one.
/// @param law      closed, with a path
/// @param of_high  the band of the constant gate at the upper end of the interval
EntropyBand entropy_band_over_gates(const theory::ScoreFunction& law, const EntropyBand& of_high,
                                    const theory::Rational& bound,
                                    const std::optional<theory::Rational>& length, int digits,
                                    const theory::Context& context);

}  // namespace gpe::checks
