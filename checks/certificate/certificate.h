// Certificates: the proof of a verdict, for verify-certificate. Format and rules: docs/certificates.md.
// Tests: tests/certificates/library.cmake, tests/certificates/hypotheses_test.cpp
#pragma once

#include <string>
#include <vector>

#include "checks/report/json_number.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// The certificate of one verdict; null when no proof in the format was found.
Json certificate(const EncodingReport& report, const theory::Finding& finding, const ReportOptions& options,
                 const theory::Context& context);

/// Of the verdict at the values of the parameters alone: `free` is empty.
/// @pre the verdict holds or fails
Json certificate_at_values(const EncodingReport& report, theory::Finding finding,
                           const theory::Context& context);

/// The certificate where `free` (parameters, perhaps "B") is left open and the other parameters are at their
/// values.
/// @param bound     the content bound, or the symbol B
/// @param at_point  prove it at the values of the parameters, with explicit thresholds
Json verdict_certificate(const EncodingReport& report, const theory::Finding& finding,
                         const theory::Expr& bound, const std::vector<std::string>& free, bool at_point,
                         const theory::Context& context);

}  // namespace gpe::checks
