// The rows of the verdicts.
// Tests: tests/cli/gates.cmake, tests/cli/queries.cmake, tests/cli/content_laws.cmake
#include <algorithm>
#include <set>

#include "checks/report/report_cells.h"

namespace gpe::checks {

using theory::Finding;
using theory::Quantifier;
using theory::Reading;

std::string ReadingRow::name() const {
  std::string text(reading->name);
  if (quantifier == Quantifier::random) return text + ", random gates";
  if (quantifier != Quantifier::none)
    text += ", " + std::string(theory::name_of(quantifier)) + " " + std::string(noun);
  return text;
}

ReadingRow row_of(const EncodingReport& report, const Finding& finding) {
  return {finding.reading, finding.quantifier, theory::quantified(report.law)};
}

std::vector<ReadingRow> reading_rows(const std::vector<EncodingReport>& reports) {
  const auto any = [&](const auto& has) { return std::ranges::any_of(reports, has); };
  const bool gates = any([](const EncodingReport& r) { return r.law.path.has_value(); });
  const bool queries = any([](const EncodingReport& r) { return r.law.query.has_value(); });
  const bool laws = any([](const EncodingReport& r) { return r.law.content_law.has_value(); });
  std::string_view noun = "gate";
  if (queries) noun = gates ? "gate or query" : "query";
  if (laws) noun = "law";
  std::vector<ReadingRow> rows;
  for (const Reading& reading : theory::readings()) {
    std::set<Quantifier> asked;
    for (const EncodingReport& r : reports)
      for (const Quantifier quantifier : theory::quantifiers(reading, r.law)) asked.insert(quantifier);
    if (asked.size() > 1) asked.erase(Quantifier::none);
    for (const Quantifier quantifier : asked) rows.push_back({&reading, quantifier, noun});
  }
  return rows;
}

std::vector<const Finding*> findings_of(const EncodingReport& report, const ReadingRow& row) {
  std::vector<const Finding*> result;
  for (const Finding& finding : report.findings) {
    const bool asked = finding.quantifier == Quantifier::none || finding.quantifier == row.quantifier;
    if (finding.reading == row.reading && asked) result.push_back(&finding);
  }
  return result;
}

}  // namespace gpe::checks
