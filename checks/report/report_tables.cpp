#include "checks/report/report_tables.h"

#include "checks/report/report_cells.h"
#include "checks/report/report_content.h"

namespace gpe::checks {

namespace {

TextTable verdicts(const std::vector<EncodingReport>& reports) {
  TextTable table;
  std::vector<Cell> head = {{"property"}, {"reading"}};
  for (const EncodingReport& report : reports) head.push_back({name_with_head(report)});
  if (reports.size() == 1) head.push_back({"it holds"});
  table.add_row(head);
  for (const ReadingRow& reading : reading_rows(reports)) {
    std::vector<Cell> cells = {{title_of(reading.reading->property)}, {reading.name()}};
    for (const EncodingReport& report : reports) cells.push_back(verdict_cell(findings_of(report, reading)));
    if (reports.size() == 1) cells.push_back({region_cell(findings_of(reports.front(), reading))});
    table.add_row(std::move(cells));
  }
  return table;
}

TextTable numbers(const std::vector<EncodingReport>& reports, const ReportOptions& options) {
  TextTable table;
  std::vector<Cell> head = {{content_label(options)}};
  for (const EncodingReport& report : reports) head.push_back({name_with_head(report)});
  table.add_row(head);
  for (std::vector<Cell>& cells : number_rows(reports, options, lengths_of(reports)))
    table.add_row(std::move(cells));
  return table;
}

}  // namespace

std::vector<TextTable> report_tables(const std::vector<EncodingReport>& reports,
                                     const ReportOptions& options) {
  std::vector<TextTable> tables = {verdicts(reports), numbers(reports, options)};
  if (!has_content(reports)) return tables;
  TextTable contents;
  for (std::vector<Cell>& cells : content_rows(reports, options)) contents.add_row(std::move(cells));
  tables.push_back(std::move(contents));
  return tables;
}

std::string report_latex(const std::vector<EncodingReport>& reports, const ReportOptions& options) {
  std::vector<std::string> notes;
  for (const EncodingReport& report : reports) {
    std::string note = name_with_head(report) + ": " + formula_of(report);
    for (const std::string& more : {transform_of(report), parameters_of(report), extras_of(report)})
      if (!more.empty()) note += "; " + more;
    notes.push_back(std::move(note));
    for (const std::string& assumed : report.assumed)
      notes.push_back(name_with_head(report) + ": " + assumed);
  }
  notes.push_back("content: " + bounds_text(options));
  std::ranges::move(notes_of(reports), std::back_inserter(notes));
  return latex_page(notes, report_tables(reports, options));
}

}  // namespace gpe::checks
