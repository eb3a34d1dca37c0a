// What a page takes for granted of a report, before it is drawn.
#pragma once

#include <string>

#include "probes/report/report_json.h"

namespace gpe::probes {

/// @pre  complete_report's, so an object with heads and lengths
/// @throws theory::SpecError  `source`, and a count that is none, lengths that do not increase, or heads that
/// are not in order. What else is wrong is found where it is read.
void check_report(const Json& report, const std::string& source);

}  // namespace gpe::probes
