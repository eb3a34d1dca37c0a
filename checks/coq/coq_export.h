// check-properties --coq: each verdict as a theorem of Coq, over theory/proofs. docs/proofs.md says what is
// trusted. Tests: tests/proofs/missing.py, tests/proofs/exports.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/report/report.h"

namespace gpe::checks {

/// Writes NAME__PROPERTY__READING.v for each verdict into the folder, which is made when it is missing: for
/// all values of the parameters in their domains and all content bounds B > 0. @returns the verdicts without
/// a file, and why.
/// @throws theory::SpecError  when the folder cannot be written, or two verdicts have the same file name
std::vector<std::string> write_coq(const std::string& folder, const std::vector<EncodingReport>& reports,
                                   const ReportOptions& options, const theory::ConstantOracle& oracle);

}  // namespace gpe::checks
