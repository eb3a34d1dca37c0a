// An audit on paper: a table for a terminal, one claim in full, JSON, Markdown, LaTeX. All print the same
// thing. Tests: tests/cli/audit.cmake
#pragma once

#include <string>

#include "checks/audit/audit.h"

namespace gpe::checks {

/// One line per reading: at most 96 columns.
std::string audit_text(const AuditResult& result, bool color);
/// Every claim of the result with formulas, reasons, witnesses and repairs.
std::string audit_explanation(const AuditResult& result, bool color);
/// docs/audit.md, "The JSON report".
std::string audit_json(const AuditResult& result);
std::string audit_markdown(const AuditResult& result);
/// A document of its own; needs the packages of a plain LaTeX.
std::string audit_latex(const AuditResult& result);

/// Whether a reading names a file.
bool has_certificates(const AuditResult& result);
/// "3 confirmed, 5 refuted, 1 undecided", over the readings.
std::string audit_counts(const AuditResult& result);
/// "no certificate covers: mean(alibi); 3 < 4"; for readings with such parts.
std::string uncertified_text(const ReadingResult& reading);
/// "m = 1, n = 2: H(ape) = 3.48, H(alibi) = 3.77"; empty without a witness.
std::string witness_text(const ReadingResult& reading);

}  // namespace gpe::checks
