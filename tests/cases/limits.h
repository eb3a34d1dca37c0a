// The limits of tests/cases/limits.csv: what the engine answers, compared exactly with what the suite states.
#pragma once

#include <chrono>
#include <string>

#include "tests/cases/csv.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/expression/expr_parse.h"

namespace gpe::testing {

struct LimitAnswer {
  std::string word;    ///< right, wrong, or none
  std::string detail;  ///< the limit that was found, or why there is none
};

/// Rows that the rule of docs/benchmarks.md does not leave out.
inline std::vector<CsvRow> limits_of_suites() {
  std::vector<CsvRow> rows = read_cases("limits.csv");
  std::erase_if(rows, [](const CsvRow& row) { return !row.at("excluded").empty(); });
  return rows;
}

/// Whether a limit that was found is what `stated` says: +inf, -inf, +-inf, none, or a constant.
/// @throws theory::Undecided  when two constants cannot be told apart
inline bool agrees(const theory::Limit& found, const std::string& stated, const theory::Context& context) {
  using Kind = theory::Limit::Kind;
  if (stated == "none") return false;
  if (stated == "+-inf") return found.kind != Kind::finite;
  if (stated == "+inf") return found.kind == Kind::plus_infinity;
  if (stated == "-inf") return found.kind == Kind::minus_infinity;
  const theory::LimitBounds constant = theory::limit(theory::parse_expression(stated, {}), context);
  return theory::compare(found, constant.low, context) == 0;
}

/// What the engine answers within `limit` seconds.
inline LimitAnswer answer_limit(const CsvRow& row, const theory::ConstantOracle& oracle, double limit = 10) {
  theory::NameScope scope;
  scope.names = {"n"};
  const auto time =
      std::chrono::duration_cast<theory::Budget::Duration>(std::chrono::duration<double>(limit));
  const theory::Context context(oracle, theory::Budget(time).question());
  LimitAnswer answer{"none", ""};
  const auto done = theory::attempt<theory::Undecided, theory::Undefined, theory::SplitRequest>([&] {
    const theory::LimitBounds bounds =
        theory::limit(theory::parse_expression(row.at("limit"), scope), context);
    answer.detail = "between " + to_text(bounds.low) + " and " + to_text(bounds.high);
    if (!bounds.settled()) return;
    answer.detail = to_text(bounds.low);
    answer.word = agrees(bounds.low, row.at("answer"), context) ? "right" : "wrong";
  });
  if (!done) answer = {"none", done.reason()};
  return answer;
}

}  // namespace gpe::testing
