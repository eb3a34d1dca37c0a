// The argument behind a verdict, in words: statement, decisive limit, cases, and an explicit threshold.
// Tests: tests/cli/report.cmake
#pragma once

#include <string>

#include "checks/report/report.h"

namespace gpe::checks {

/// @param property  "cn", "eb", "ldcp", "gps" or a full name; optionally "=READING"
/// @throws theory::SpecError  for an unknown property or reading
std::string explain(const EncodingReport& report, const std::string& property,
                    const theory::Context& context);

struct Selected {
  theory::Property property;
  std::string reading;  ///< empty: every reading
};
/// Reads "cn=every-content". @throws theory::SpecError.
Selected select_property(const std::string& text, const std::string& option);

}  // namespace gpe::checks
