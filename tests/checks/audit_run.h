// Running single claims in tests.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "checks/arb/expr_ball.h"
#include "checks/audit/audit.h"
#include "theory/source/spec_error.h"

namespace gpe::testing {

/// One reading in a file of its own; `head` comes before it ("[families.f] …").
inline checks::ReadingResult audit_one(const std::string& formula, const std::string& head = "",
                                       bool negated = false,
                                       std::chrono::seconds each = std::chrono::seconds(10)) {
  const std::string text =
      "schema = 1\ntitle = \"a test\"\n" + head +
      "\n[[claim]]\nid = \"T\"\nstatement = \"a test\"\n[[claim.reading]]\nname = \"r\"\n" +
      (negated ? "not = true\n" : "") + "formula = '''" + formula + "'''\n";
  const checks::ClaimFile file = checks::parse_claims(text, "test.toml");
  const theory::Context context = checks::ball_context(theory::Budget(each, 4 * each));
  return checks::audit_reading(file.claims.front().readings.front(), file, {}, context);
}

inline std::string verdict_of(const std::string& formula, const std::string& head = "",
                              bool negated = false) {
  return std::string(checks::name_of(audit_one(formula, head, negated).verdict));
}

/// "T1.i: as stated" -> result, repairs under "T1.i repair: …".
inline std::map<std::string, checks::ReadingResult> by_name(const checks::AuditResult& result) {
  std::map<std::string, checks::ReadingResult> all;
  for (const checks::ClaimResult& claim : result.claims) {
    for (const checks::ReadingResult& one : claim.readings) all.emplace(claim.id + ": " + one.name, one);
    for (const checks::ReadingResult& one : claim.repairs)
      all.emplace(claim.id + " repair: " + one.name, one);
  }
  return all;
}

}  // namespace gpe::testing
