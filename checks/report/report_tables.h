// The tables of a report, and the report as LaTeX. Tests: tests/cli/report.cmake, tests/cli/formats.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/report/report.h"
#include "checks/report/text_table.h"

namespace gpe::checks {

/// Verdicts, numbers, and where there is a content what holds for all of it: a column for each encoding.
std::vector<TextTable> report_tables(const std::vector<EncodingReport>& reports,
                                     const ReportOptions& options);
std::string report_latex(const std::vector<EncodingReport>& reports, const ReportOptions& options);

}  // namespace gpe::checks
