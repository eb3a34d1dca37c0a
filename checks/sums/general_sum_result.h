// What was enclosed of a sum. Tests: tests/checks/sums/general_sum_test.cpp
#pragma once

#include <string>

#include "checks/sums/moments.h"

namespace gpe::checks {

struct GeneralSum {
  Moments moments;
  WantedMoments proved;  ///< which of S and D were enclosed
  std::string method;    ///< "Euler-Maclaurin from n = 41, 52 derivatives", …
  std::string reason;    ///< why something is missing or has fewer digits; empty when nothing is
  long bits = 0;
};

}  // namespace gpe::checks
