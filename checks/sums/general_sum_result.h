// What is asked of a sum, and what was enclosed of it.
#pragma once

#include <chrono>
#include <string>

#include "checks/sums/moments.h"

namespace gpe::checks {

struct SumOptions {
  int digits = 30;
  std::chrono::milliseconds time_limit{10000};
};

struct GeneralSum {
  Moments moments;
  Wanted proved;       ///< which of S and D were enclosed
  std::string method;  ///< "Euler-Maclaurin from n = 41, 52 derivatives", …
  std::string reason;  ///< why something is missing or has fewer digits; empty when nothing is
  long bits = 0;
};

}  // namespace gpe::checks
