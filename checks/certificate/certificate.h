// Certificates: the proof of a verdict, for verify-certificate. Format and rules: docs/certificates.md.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checks/report/json_number.h"
#include "checks/report/report.h"

namespace gpe::checks {

/// The certificate of one verdict; null when no proof in the format was found.
Json certificate(const EncodingReport& report, const theory::Finding& finding, const ReportOptions& options,
                 const theory::ConstantOracle& oracle);

/// The same, where `free` (parameters, perhaps "B") is left open and the other parameters are at their
/// values.
/// @param bound     the content bound, or the symbol B
/// @param at_point  prove it at the values of the parameters, with explicit thresholds
Json verdict_certificate(const EncodingReport& report, const theory::Finding& finding,
                         const theory::Expr& bound, const std::vector<std::string>& free, bool at_point,
                         std::chrono::milliseconds time_limit, const theory::ConstantOracle& oracle);

/// What the verifier says of a certificate: nothing when it is proved, and else why not.
using Refusal = std::function<std::optional<std::string>(const std::string& certificate)>;

/// Writes one file a verdict and one for the numbers of each report into the folder, which is made when it is
/// missing, and puts the file names into the reports; but none that the verifier refuses. @returns the
/// verdicts without one, in words. @throws theory::SpecError  when the folder cannot be written
std::vector<std::string> write_certificates(const std::string& folder, std::vector<EncodingReport>& reports,
                                            const ReportOptions& options,
                                            const theory::ConstantOracle& oracle, const Refusal& refusal);

}  // namespace gpe::checks
