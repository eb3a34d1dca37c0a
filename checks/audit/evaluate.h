// Decides a formula of the claim language under what is assumed of the symbols left open.
#pragma once

#include "checks/audit/scope.h"

namespace gpe::checks {

/// Sound in both directions: `holds` and `fails` are proved, by the engine's verdicts, by exact signs, or by
/// enclosures that do not meet. Notes what it computes in scope.evidence.
/// @throws theory::SplitRequest  when the answer depends on the sign of something left open
/// @throws theory::Undecided     with what was missing
theory::Decision evaluate_formula(const Formula& formula, const AuditScope& scope,
                                  const theory::Context& context);

/// The same for predicates alone.
theory::Decision evaluate_predicate(const Quantity& predicate, const AuditScope& scope,
                                    const theory::Context& context);

}  // namespace gpe::checks
