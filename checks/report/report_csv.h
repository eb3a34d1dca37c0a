// A report as rows of a table: verdicts and numbers, or points for pictures.
// Tests: tests/python/curves_test.py, tests/cli/normalizers.cmake
#pragma once

#include "checks/report/report.h"

namespace gpe::checks {

/// A row for each verdict, and for each number with its proved digits; with points, a row for each point.
std::string report_csv(const std::vector<EncodingReport>& reports, const ReportOptions& options);

}  // namespace gpe::checks
