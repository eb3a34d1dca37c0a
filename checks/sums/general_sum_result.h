// What is asked of a sum, and what was enclosed of it. Tests: tests/checks/sums/general_sum_test.cpp
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "checks/sums/moments.h"
#include "theory/expression/cpu_clock.h"

namespace gpe::checks {

struct SumOptions {
  int digits = 30;
  std::chrono::milliseconds time_limit{10000};
  std::optional<theory::CpuClock::time_point> end{};  ///< of this sum and those after it together

  /// For the next one of several sums that share the time until `end`.
  SumOptions next() const { return {digits, theory::share_of(time_limit, end), end}; }
};

struct GeneralSum {
  Moments moments;
  Wanted proved;       ///< which of S and D were enclosed
  std::string method;  ///< "Euler-Maclaurin from n = 41, 52 derivatives", …
  std::string reason;  ///< why something is missing or has fewer digits; empty when nothing is
  long bits = 0;
};

}  // namespace gpe::checks
