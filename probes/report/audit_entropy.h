// Measured entropies as a result file of audit-claims. Tests: tests/probes/probe_attention_test.py
#pragma once

#include <string>

#include "probes/report/report_json.h"

namespace gpe::probes {

/// "NAME=FILE": where the entropies of a model go, and under which name.
struct AuditEntry {
  std::string name;
  std::string file;
};
/// @throws theory::SpecError  naming the option
AuditEntry audit_entry(const std::string& option, const std::string& text);

/// Puts the mean entropy over all heads of rows T/2 … T - 1, in nats, by T, with its bootstrap interval over
/// windows (95 %; none of a single window) into the file, under its name and the context of the training:
/// {"alibi": {"64": {"columns": ["tokens", "entropy", "low", "high"], "rows": [[64, …], …]}}}. What else the
/// file has stays.
/// @throws theory::SpecError  a file that is not a JSON object
void add_to_audit(const AuditEntry& entry, const Json& report);

}  // namespace gpe::probes
