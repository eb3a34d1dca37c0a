// The audit: every claim of a file with the verdict that the engine computes, and what shows it.
#pragma once

#include "checks/audit/evaluate.h"

namespace gpe::checks {

enum class AuditVerdict { confirmed, refuted, depends, undecided };
std::string_view name_of(AuditVerdict verdict);

struct ReadingResult {
  std::string name;
  std::string says;
  std::string formula;  ///< as text
  Formula tree;
  bool negated = false;
  AuditVerdict verdict = AuditVerdict::undecided;
  std::string reason;
  std::string region;  ///< "for which": where it holds
  std::optional<ClaimWitness> witness;
  ClaimDependencies dependencies;        ///< what the verdict rests on
  std::string certificate;               ///< file name; empty: none
  std::vector<std::string> uncertified;  ///< what it rests on besides, once certificates were written
};

struct ClaimResult {
  std::string id;
  std::string where;
  std::string source;
  std::string statement;
  std::vector<ReadingResult> readings;
  std::string repair;
  std::vector<ReadingResult> repairs;

  /// What all readings agree on; `depends` where some are confirmed and some refuted.
  AuditVerdict overall() const;
};

struct AuditResult {
  std::string name;
  std::string title;
  std::string reference;
  std::vector<ClaimResult> claims;
};

/// @throws theory::SpecError  for names and settings that do not exist
/// @param context  with the time of each decision and each number, and of one reading (Budget::whole)
ReadingResult audit_reading(const ClaimReading& reading, const ClaimFile& file, const AuditOptions& options,
                            const theory::Context& context);
/// @param only  identifiers; empty: every claim
AuditResult audit(const ClaimFile& file, const std::vector<std::string>& only, const AuditOptions& options,
                  const theory::Context& context);

}  // namespace gpe::checks
