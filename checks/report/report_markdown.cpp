#include "checks/report/report_markdown.h"

#include "checks/report/report_cells.h"
#include "checks/report/report_tables.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

std::string report_markdown(const std::vector<EncodingReport>& reports, const ReportOptions& options) {
  std::string text = "# Positional encodings: verdicts\n\n";
  for (const EncodingReport& report : reports) {
    text += "- **" + escaped_markdown(name_with_head(report)) + "**";
    if (!report.title.empty()) text += ": " + escaped_markdown(report.title);
    if (!report.reference.empty()) text += " (" + escaped_markdown(report.reference) + ")";
    text += "  \n  `" + formula_of(report) + "`";
    if (const std::string transform = transform_of(report); !transform.empty())
      text += "; `" + transform + "`";
    if (const std::string parameters = parameters_of(report); !parameters.empty())
      text += "  \n  `" + parameters + "`";
    if (const std::string extras = extras_of(report); !extras.empty())
      text += "  \n  " + escaped_markdown(extras);
    text += "\n";
  }
  for (const EncodingReport& report : reports)
    if (const std::string meaning = meaning_of(report.law.normalizer); !meaning.empty())
      text += "\n" + escaped_markdown(name_with_head(report) + ": " + meaning) + ".\n";
  text += "\nContent: " + escaped_markdown(bounds_text(options)) + ".\n\n";

  const std::vector<TextTable> tables = report_tables(reports, options);
  text += theory::joined(tables, "\n", &TextTable::markdown);
  for (const EncodingReport& report : reports) {
    for (const std::string& assumed : report.assumed)
      text += "\n" + escaped_markdown(name_with_head(report) + ": " + assumed) + "\n";
  }
  for (const std::string& note : notes_of(reports)) text += "\n" + escaped_markdown(note) + "\n";
  if (reports.size() == 1) {
    text += "\n## Why\n\n";
    for (const auto& [label, reason] : reasons_of(reports.front()))
      text += "- " + escaped_markdown(label + ": " + reason) + "\n";
  }
  return text;
}

}  // namespace gpe::checks
