// The numbers that hold for every content with a bound, as rows of a table and as JSON.
// Tests: tests/cli/report.cmake, tests/bench/laws/check_numbers.py
#pragma once

#include <string>
#include <vector>

#include "checks/report/json_number.h"
#include "checks/report/report.h"
#include "checks/report/text_table.h"

namespace gpe::checks {

/// "every content with |c(n)| <= B w(n)", then one column a bound; rows are labelled with the encoding when
/// there are several.
std::vector<std::vector<Cell>> content_rows(const std::vector<EncodingReport>& reports,
                                            const ReportOptions& options);
/// Whether one of them has a content at all, gates, or windows of weight 0.
bool has_content(const std::vector<EncodingReport>& reports);
/// How much a band of this width says, in words.
std::string width_in_words(double nats);

/// A certified number as JSON: {"finite": …, "lower": …, "upper": …}.
Json json_enclosed(const EnclosedNumber& number, int digits);
/// Sets content_sums, entropy_band, effective_windows and reach.
void add_content_json(Json& json, const EncodingReport& report, const ReportOptions& options);
Json band_json(const ContentNumbers& numbers, int digits);
/// Appends to effective_windows and reach.
void add_counts_json(Json& json, const ContentNumbers& numbers, const ReportOptions& options);

}  // namespace gpe::checks
