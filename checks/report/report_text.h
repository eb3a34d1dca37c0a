// The report for people: verdict table, then numbers, then why. Tests: tests/cli/report.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/report/report.h"

namespace gpe::checks {

struct TextStyle {
  bool color = false;
  bool quiet = false;  ///< verdict table only
};

/// One encoding: with regions, numbers and reasons. Several: side by side, one column each (one row each when
/// more than four).
std::string report_text(const std::vector<EncodingReport>& reports, const ReportOptions& options,
                        const TextStyle& style);

}  // namespace gpe::checks
