// Certificates of what the audit confirms and refutes: those of check-properties, one file a reading.
#pragma once

#include <functional>
#include <string>

#include "checks/audit/audit.h"

namespace gpe::checks {

/// Writes ID.K.json for the K-th reading of a claim, ID.repair.K.json for repairs, into the folder, which is
/// made when it is missing. A file has the certificate of every verdict and number that the reading rests on:
/// one, or a list (docs/certificates.md). Puts the names into the result, and what the readings rest on
/// besides: formulas, orders, limits, and numbers without a rule. @throws theory::SpecError  when the folder
/// cannot be written
/// @param check  called with each file and the certificate in it, before it is written; it may throw
void write_certificates(
    const std::string& folder, AuditResult& result, const AuditOptions& options,
    const theory::ConstantOracle& oracle,
    const std::function<void(const std::string& file, const std::string& certificate)>& check);

}  // namespace gpe::checks
