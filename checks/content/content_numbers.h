// What a bound on the content gives: the range of Z, the entropy band, effective windows, reach.
// Tests: tests/cli/report.cmake, tests/certificates/hypotheses_test.cpp
#pragma once

#include <vector>

#include "checks/content/effective_window.h"
#include "checks/content/entropy_band.h"
#include "checks/content/over_gates.h"

namespace gpe::checks {

struct ContentNumbers {
  theory::Rational bound;  ///< B
  EnclosedNumber z_least;  ///< Σ e^{A-}
  EnclosedNumber z_most;   ///< Σ e^{A+}
  EntropyBand band;
  std::vector<BigCount> windows;  ///< one for each epsilon
  std::vector<Reach> reach;       ///< one for each weight
  std::optional<OverGates>
      over_gates;  ///< where there are gates along the path: the others are those of `high`
};

/// What is asked of them.
struct ContentQuestion {
  std::vector<theory::Rational> epsilons;  ///< of windows
  std::vector<theory::Rational> weights;   ///< of reach
};

/// @param law     closed; of gates along the path, with them
/// @param length  none: infinitely many tokens; windows and reach then are those of the context 0 … length
ContentNumbers content_numbers(const theory::ScoreFunction& law, const theory::Rational& bound,
                               const std::optional<theory::Rational>& length, const ContentQuestion& asked,
                               int digits, const theory::Context& context);

}  // namespace gpe::checks
