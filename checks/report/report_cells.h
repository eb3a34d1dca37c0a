// The cells of a report, in words: shared by the text and Markdown printers. Tests: tests/cli/report.cmake
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/report/report.h"
#include "checks/report/text_table.h"

namespace gpe::checks {

std::string title_of(theory::Property property);
/// A row of the verdicts: two or three for a reading that asks for gates along the path or a query, where a
/// report has them.
struct ReadingRow {
  const theory::Reading* reading;
  theory::Quantifier quantifier;
  std::string_view noun = "gate";
  std::string name() const;  ///< "every-content, some gate"
};
/// The row of a finding alone.
ReadingRow row_of(const EncodingReport& report, const theory::Finding& finding);
std::vector<ReadingRow> reading_rows(const std::vector<EncodingReport>& reports);
/// The findings of one row, one for each content bound; without gates or query, the same in all rows of a
/// reading, and none in that of random gates where the file says nothing of them.
std::vector<const theory::Finding*> findings_of(const EncodingReport& report, const ReadingRow& row);
std::string gates_of(const theory::Path& path);        ///< "-1 <= g < 0, E g = -1/2"
std::string query_of(const theory::QueryBias& query);  ///< "r*log(1 + n), |r| <= 2"
Cell verdict_cell(const std::vector<const theory::Finding*>& findings);
/// Where a verdict holds; of a region of more than 2,000 characters only what is decided, and how much more
/// there is.
std::string region_cell(const std::vector<const theory::Finding*>& findings);
Cell number_cell(const EnclosedNumber& number, int digits);
Cell count_cell(const BigCount& count);

std::string name_with_head(const EncodingReport& report);
std::string formula_of(const EncodingReport& report);
std::string transform_of(const EncodingReport& report);   ///< empty for the identity
std::string parameters_of(const EncodingReport& report);  ///< "m = 1/2"
std::string normalizer_of(const EncodingReport& report);  ///< "top-k, k = 64"; empty for softmax
/// What Z and H mean with a normalizer; empty for softmax.
std::string meaning_of(theory::Normalizer normalizer);
std::string extras_of(const EncodingReport& report);  ///< window, sink, soft cap …
std::string bounds_text(const ReportOptions& options);
/// Why: (readings, reason), readings with the same reason together.
std::vector<std::pair<std::string, std::string>> reasons_of(const EncodingReport& report);
/// Why a number is missing or has fewer digits than asked, once each.
std::vector<std::string> notes_of(const std::vector<EncodingReport>& reports);
/// "number (without content)": under which content the numbers hold.
std::string content_label(const ReportOptions& options);
/// The lengths of all these reports, in order.
std::vector<theory::Rational> lengths_of(const std::vector<EncodingReport>& reports);
/// The index of that length in a report; nothing where it is absent.
std::optional<std::size_t> place_of(const theory::Rational& length, const EncodingReport& report);
/// Rows of numbers, partial sums at these lengths: a label, then one cell per encoding.
std::vector<std::vector<Cell>> number_rows(const std::vector<EncodingReport>& reports,
                                           const ReportOptions& options,
                                           const std::vector<theory::Rational>& lengths);

}  // namespace gpe::checks
