// The argument behind a verdict, in words: statement, decisive limit, cases, and an explicit threshold.
// Tests: tests/cli/report.cmake
#pragma once

#include <string>

#include "checks/report/report.h"
#include "checks/report/selected.h"

namespace gpe::checks {

/// Cases that several readings share are written once.
/// @param property  as select_property has it
/// @throws theory::SpecError  as select_property
std::string explain(const EncodingReport& report, const std::string& property,
                    const theory::Context& context);

}  // namespace gpe::checks
