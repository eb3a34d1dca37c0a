// The report of a probe as one page that needs nothing else: charts, tables, verdicts, what to do.
#pragma once

#include "probes/report/report_json.h"

namespace gpe::probes {

/// HTML, with its style and pictures inside; light or dark, as the reader's system is; from 390 pixels wide.
/// The same bytes for the same report.
/// @param report  of probe-attention, or of gpe.probe
/// @throws theory::SpecError  another object; `source` begins the message
std::string report_page(const Json& report, const std::string& source);

}  // namespace gpe::probes
