// Decides a formula of the claim language under what is assumed of the symbols left open; quantified ones by
// a proof for all members and all values left open, or the simplest counterexample.
#pragma once

#include "checks/audit/instance.h"

namespace gpe::checks {

/// Sound in both directions: `holds` and `fails` are proved, by the engine's verdicts, by exact signs, or by
/// enclosures that do not meet. Notes what it computes in scope.evidence.
/// @throws theory::SplitRequest  when the answer depends on the sign of something left open
/// @throws theory::Undecided     with what was missing
theory::Decision evaluate_formula(const Formula& formula, const AuditScope& scope,
                                  const theory::Context& context);

/// The same, but undecided is a value with its reason. @throws theory::SplitRequest
theory::Decision or_undecided_truth(const Formula& formula, const AuditScope& scope,
                                    const theory::Context& context);

/// evaluate_formula for predicates alone.
theory::Decision evaluate_predicate(const ClaimQuantity& predicate, const AuditScope& scope,
                                    const theory::Context& context);

struct Quantified {
  theory::Truth truth = theory::Truth::undecided;
  std::string reason;
  std::optional<ClaimWitness> witness;  ///< the counterexample of "for all", the example of "for some"
  std::int64_t members = 0;             ///< instances of the finite variables
  std::int64_t cases = 0;               ///< cases of what is left open that were proved
  std::int64_t points = 0;              ///< points tried where nothing was proved
  std::string region;                   ///< "for which": where it holds
  bool always = false;                  ///< "for which"
  bool never = false;                   ///< "for which"
};

/// "for all" and "for some". Each member of the families, each value of finite ranges is a case of its own;
/// real numbers and endless integers stay open while the engine splits the space. A case that decides gives a
/// region, its simplest point is put in and evaluated again: only then it is a witness. Cases that resist are
/// tried at points.
/// @throws theory::SplitRequest  for names bound further out
Quantified quantify(const Formula& formula, const AuditScope& scope, const theory::Context& context);

/// "for which": the region where the statement holds. @pre real variables only
Quantified region_of_claim(const Formula& formula, const AuditScope& scope);

}  // namespace gpe::checks
