// Certificates of what the audit confirms and refutes: those of check-properties, one file per reading.
#pragma once

#include <string>

#include "checks/audit/audit.h"
#include "checks/certificate/write_certificates.h"

namespace gpe::checks {

/// Writes ID.K.json for the K-th reading of a claim, ID.repair.K.json for repairs, into the folder, which is
/// made when it is missing. A file has the certificate of every verdict and number that the reading rests on:
/// one, or a list (docs/certificates.md). Puts the names into the result, and what the readings rest on
/// besides: formulas, orders, limits, numbers without a rule, and what the verifier does not follow.
/// @throws theory::SpecError  when the folder cannot be written
/// @throws std::runtime_error  when the verifier refuses a certificate
void write_certificates(const std::string& folder, AuditResult& result, const theory::Context& context,
                        const Verifier& verifier);

}  // namespace gpe::checks
