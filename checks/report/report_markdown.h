// The report as Markdown: the same cells in pipe tables. Tests: tests/cli/report.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/report/report.h"

namespace gpe::checks {

std::string report_markdown(const std::vector<EncodingReport>& reports, const ReportOptions& options);

}  // namespace gpe::checks
