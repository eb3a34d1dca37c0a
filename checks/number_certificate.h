// Certificates of numbers: sums, entropy, windows, reach and local ranges, where docs/certificates.md has
// rules for them.
#pragma once

#include "checks/json_number.h"
#include "checks/report.h"

namespace gpe::checks {

/// What of the report's numbers without content (and of windows and reach under a bound) verify-certificate
/// can prove; null when it is nothing.
Json number_certificate(const EncodingReport& report, const ReportOptions& options,
                        const theory::ConstantOracle& oracle);

}  // namespace gpe::checks
