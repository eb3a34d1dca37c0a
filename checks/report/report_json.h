// The report as JSON, schema 1 (docs/report.md). Same bytes whatever the locale. Tests: tests/cli/json.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/report/report.h"

namespace gpe::checks {

std::string report_json(const std::vector<EncodingReport>& reports, const ReportOptions& options);

}  // namespace gpe::checks
