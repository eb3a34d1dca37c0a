// One instance of the variables of a quantifier: some have values, some are symbols left open.
#pragma once

#include "checks/audit/region_points.h"

namespace gpe::checks {

struct ClaimWitness {
  std::vector<std::pair<std::string, std::string>> point;   ///< "m" = "1/16", "A" = "A(n) = -n"
  std::vector<std::pair<std::string, std::string>> values;  ///< what was computed there
};

struct ClaimInstance {
  AuditScope scope;
  ClaimRegion region;                                           ///< of what is left open
  std::vector<std::pair<std::string, std::string>> labels;      ///< of values given
  std::vector<std::pair<std::string, FamilyMember>> encodings;  ///< by variable
};

/// Leaves a real number or an integer without end open.
void open_number(ClaimInstance& instance, const Binding& binding);
/// Adds the conditions of the instance to what is assumed; those that cannot be written as signs are left
/// out.
void assume(const ClaimInstance& instance, theory::Context& context);

/// A case of a decision, and the signs that lead to it.
struct ClaimCase {
  theory::Decision decision;
  std::vector<theory::Constraint> signs;
};
std::vector<ClaimCase> cases_of(const theory::CaseTree& tree);

/// What to print of a closed instance: its values, its encodings, and what was computed.
ClaimWitness witness_at(const ClaimInstance& closed, const ClaimPoint& point, const theory::Context& context);

}  // namespace gpe::checks
