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

/// How Z and H of a law without content are enclosed to about `digits` digits, as the object "proof" of a
/// certificate (N2): terms up to `direct` one by one, Euler-Maclaurin formulas with `order` derivatives.
/// Nothing when no bound of the tail is found. @pre b is of the kind N1, Z < ∞, and there is no window
/// @throws theory::Undecided, theory::Undefined
std::optional<Json> summation_proof(const theory::Law& law, int digits, int direct, int order,
                                    const theory::ConstantOracle& oracle);
/// That Z = ∞, as the object "proof"; nothing when no such proof is found. @throws the same
std::optional<Json> divergence_proof(const theory::Law& law, const theory::ConstantOracle& oracle);

}  // namespace gpe::checks
