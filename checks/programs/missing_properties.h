// What --require asks for that does not hold. Tests: tests/cli/require.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/report/report.h"

namespace gpe::checks {

/// A line for each reading of "PROP,..." that does not hold, with the encoding.
/// @throws theory::SpecError  for what names no reading, also when there are no reports
std::vector<std::string> missing_properties(const std::string& require,
                                            const std::vector<EncodingReport>& reports);

}  // namespace gpe::checks
