#include "checks/report/report_markdown.h"

#include "checks/report/report_cells.h"
#include "checks/report/report_content.h"

namespace gpe::checks {

namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '<') result += '\\';
    result += c;
  }
  return result;
}

std::string table_row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + escaped(cell) + " |";
  return line + "\n";
}

std::string table_rule(std::size_t columns) {
  std::string line = "|";
  for (std::size_t i = 0; i < columns; ++i) line += "---|";
  return line + "\n";
}

}  // namespace

std::string report_markdown(const std::vector<EncodingReport>& reports, const ReportOptions& options) {
  std::string text = "# Positional encodings: verdicts\n\n";
  for (const EncodingReport& report : reports) {
    text += "- **" + escaped(name_with_head(report)) + "**";
    if (!report.title.empty()) text += ": " + escaped(report.title);
    if (!report.reference.empty()) text += " (" + escaped(report.reference) + ")";
    text += "  \n  `" + formula_of(report) + "`";
    if (const std::string transform = transform_of(report); !transform.empty())
      text += "; `" + transform + "`";
    if (const std::string parameters = parameters_of(report); !parameters.empty())
      text += "  \n  `" + parameters + "`";
    if (const std::string extras = extras_of(report); !extras.empty()) text += "  \n  " + escaped(extras);
    text += "\n";
  }
  for (const EncodingReport& report : reports)
    if (const std::string meaning = meaning_of(report.law.normalizer); !meaning.empty())
      text += "\n" + escaped(name_with_head(report) + ": " + meaning) + ".\n";
  text += "\nContent: " + escaped(bounds_text(options)) + ".\n\n";

  std::vector<std::string> head = {"property", "reading"};
  for (const EncodingReport& report : reports) head.push_back(name_with_head(report));
  if (reports.size() == 1) head.emplace_back("holds");
  text += table_row(head) + table_rule(head.size());
  for (const ReadingRow& reading : reading_rows(reports)) {
    std::vector<std::string> cells = {title_of(reading.reading->property), reading.name()};
    for (const EncodingReport& report : reports)
      cells.push_back(verdict_cell(findings_of(report, reading)).text);
    if (reports.size() == 1) cells.push_back(region_cell(findings_of(reports.front(), reading)));
    text += table_row(cells);
  }

  head = {content_label(options)};
  for (const EncodingReport& report : reports) head.push_back(name_with_head(report));
  text += "\n" + table_row(head) + table_rule(head.size());
  for (const std::vector<Cell>& cells : number_rows(reports, options, lengths_of(reports))) {
    std::vector<std::string> words;
    for (const Cell& cell : cells) words.push_back(cell.text);
    text += table_row(words);
  }
  if (has_content(reports)) {
    const auto rows = content_rows(reports, options);
    text += "\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::vector<std::string> words;
      for (const Cell& cell : rows[i]) words.push_back(cell.text);
      text += table_row(words);
      if (i == 0) text += table_rule(words.size());
    }
  }
  for (const EncodingReport& report : reports) {
    for (const std::string& assumed : report.assumed)
      text += "\n" + escaped(name_with_head(report) + ": " + assumed) + "\n";
  }
  for (const std::string& note : notes_of(reports)) text += "\n" + escaped(note) + "\n";
  if (reports.size() == 1) {
    text += "\n## Why\n\n";
    for (const auto& [label, reason] : reasons_of(reports.front()))
      text += "- " + escaped(label + ": " + reason) + "\n";
  }
  return text;
}

}  // namespace gpe::checks
