#include "checks/report/report_text.h"

#include "checks/arb/decimal.h"
#include "checks/report/report_cells.h"
#include "checks/report/report_content.h"
#include "theory/expression/expr_print.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Property;
using theory::Reading;

namespace {

constexpr std::size_t kMaxColumns = 4;
constexpr std::size_t kWidth = 110;

// How scores become weights, where that is not softmax, and what is assumed of the formulas.
std::string remarks(const std::vector<EncodingReport>& reports, bool color) {
  std::string text;
  const auto add = [&](const EncodingReport& report, const std::string& remark, Tone tone) {
    text += toned("  " + wrapped(name_with_head(report) + ": " + remark, kWidth - 2, 4), tone, color) + "\n";
  };
  for (const EncodingReport& report : reports) {
    if (const std::string name = normalizer_of(report); !name.empty())
      add(report, "normalizer " + name + "; " + meaning_of(report.law.normalizer), Tone::faint);
    for (const std::string& assumed : report.assumed) add(report, assumed, Tone::unsure);
  }
  return text;
}

std::string header(const EncodingReport& report, bool color) {
  std::string text = toned(name_with_head(report), Tone::strong, color);
  if (!report.title.empty()) text += "  " + report.title;
  text += "\n";
  if (!report.reference.empty())
    text += toned("  " + wrapped(report.reference, kWidth - 2, 2), Tone::faint, color) + "\n";
  text += "  " + wrapped(formula_of(report), kWidth - 2, 9) + "\n";
  if (const std::string transform = transform_of(report); !transform.empty())
    text += "  " + wrapped(transform, kWidth - 2, 4) + "\n";
  if (const std::string extra = extras_of(report); !extra.empty()) text += "  " + extra + "\n";
  if (const std::string parameters = parameters_of(report); !parameters.empty())
    text += "  " + wrapped(parameters, kWidth - 2, 2) + "\n";
  return text;
}

// One encoding: verdict and region; several: one column each.
std::string verdict_columns(const std::vector<EncodingReport>& reports, const ReportOptions& options,
                            bool color) {
  TextTable table;
  std::vector<Cell> top = {{"verdict", Tone::strong}};
  for (const EncodingReport& report : reports) top.push_back({name_with_head(report), Tone::strong});
  if (reports.size() == 1) top.push_back({"it holds", Tone::strong});
  table.add_row(top);
  std::optional<Property> current;
  for (const ReadingRow& reading : reading_rows(reports)) {
    if (current != reading.reading->property) {
      current = reading.reading->property;
      table.add_row({{title_of(*current), Tone::faint}});
    }
    std::vector<Cell> row = {{"  " + reading.name(), Tone::plain}};
    for (const EncodingReport& report : reports) row.push_back(verdict_cell(findings_of(report, reading)));
    if (reports.size() == 1) row.push_back({region_cell(findings_of(reports.front(), reading)), Tone::plain});
    table.add_row(row);
  }
  return "\n" + table.text(color) + toned("  content: " + bounds_text(options), Tone::faint, color) + "\n" +
         remarks(reports, color);
}

// A verdict in few letters.
std::string word_of(const std::string& verdict) {
  if (verdict.find(' ') != std::string::npos) return "by B";
  if (verdict == "holds") return "yes";
  return verdict == "fails" ? "-" : verdict;
}

// Many encodings: one row each, one letter per reading.
std::string verdict_rows(const std::vector<EncodingReport>& reports, const ReportOptions& options,
                         bool color) {
  TextTable table;
  std::vector<Cell> top = {{"", Tone::plain}};
  std::vector<Cell> second = {{"encoding", Tone::strong}};
  std::optional<Property> current;
  for (const Reading& reading : theory::readings()) {
    const bool begins = current != reading.property;
    current = reading.property;
    top.push_back({begins ? std::string(theory::short_name_of(reading.property)) : "", Tone::strong});
    second.push_back({std::string(reading.name).substr(0, 6), Tone::faint});
  }
  table.add_row(top);
  table.add_row(second);
  for (const EncodingReport& report : reports) {
    std::vector<Cell> row = {{name_with_head(report), Tone::plain}};
    for (const Reading& reading : theory::readings()) {
      const Cell cell = verdict_cell(findings_of(report, {&reading, theory::Quantifier::every}));
      row.push_back({word_of(cell.text), cell.tone});
    }
    table.add_row(row);
  }
  std::string text = "\n" + table.text(color);
  text += toned("  yes: holds at the default parameters; -: fails; by B: depends on the content bound. " +
                    bounds_text(options),
                Tone::faint, color) +
          "\n";
  if (reading_rows(reports).size() > theory::readings().size())
    text +=
        toned("  gates along the path, queries, laws of content: for every one", Tone::faint, color) + "\n";
  text += remarks(reports, color);
  const std::string readings = theory::joined(theory::readings(), ", ", [](const Reading& reading) {
    return std::string(theory::short_name_of(reading.property)) + "=" + std::string(reading.name);
  });
  return text + toned("  " + wrapped("columns: " + readings, kWidth, 11), Tone::faint, color) + "\n";
}

std::string numbers(const std::vector<EncodingReport>& reports, const ReportOptions& options, bool color) {
  TextTable table;
  std::vector<Cell> top = {{content_label(options), Tone::strong}};
  for (const EncodingReport& report : reports)
    top.push_back({reports.size() > 1 ? name_with_head(report) : "", Tone::strong});
  table.add_row(top);
  for (std::vector<Cell>& row : number_rows(reports, options, lengths_of(reports)))
    table.add_row(std::move(row));
  std::string text = "\n" + table.text(color);
  for (const std::string& note : notes_of(reports)) {
    text += toned("  " + wrapped(note, kWidth - 2, 4), Tone::faint, color) + "\n";
  }
  return text;
}

// Many encodings: one row each, one column a number.
std::string number_lines(const std::vector<EncodingReport>& reports, const ReportOptions& options,
                         bool color) {
  const std::vector<std::vector<Cell>> numbers = number_rows(reports, options, options.lengths);
  TextTable table;
  std::vector<Cell> top = {{content_label(options), Tone::strong}};
  for (const std::vector<Cell>& row : numbers) top.push_back({row.front().text, Tone::strong});
  table.add_row(top);
  for (std::size_t i = 0; i < reports.size(); ++i) {
    std::vector<Cell> line = {{name_with_head(reports[i]), Tone::plain}};
    for (const std::vector<Cell>& row : numbers) line.push_back(row[i + 1]);
    table.add_row(std::move(line));
  }
  std::string text = "\n" + table.text(color);
  if (has_content(reports))
    text += toned("  at content bounds, with windows and reach: up to " + std::to_string(kMaxColumns) +
                      " encodings at a time, or --format markdown",
                  Tone::faint, color) +
            "\n";
  return text;
}

std::string contents(const std::vector<EncodingReport>& reports, const ReportOptions& options, bool color) {
  if (!has_content(reports)) return "";
  TextTable table;
  for (std::vector<Cell>& row : content_rows(reports, options)) table.add_row(std::move(row));
  return "\n" + table.text(color);
}

std::string reasons(const EncodingReport& report, bool color) {
  std::string text = "\n" + toned("  why", Tone::strong, color) + "\n";
  for (const auto& [label, reason] : reasons_of(report)) {
    text += "  " + wrapped(label + ": " + reason, kWidth - 2, 4) + "\n";
  }
  return text;
}

}  // namespace

std::string report_text(const std::vector<EncodingReport>& reports, const ReportOptions& options,
                        const TextStyle& style) {
  std::string text;
  if (reports.size() > kMaxColumns) {
    return verdict_rows(reports, options, style.color).substr(1) +
           (style.quiet ? "" : number_lines(reports, options, style.color));
  }
  if (!style.quiet) {
    for (const EncodingReport& report : reports) text += header(report, style.color);
  }
  text += verdict_columns(reports, options, style.color);
  if (!style.quiet) {
    text += numbers(reports, options, style.color);
    text += contents(reports, options, style.color);
    if (reports.size() == 1) text += reasons(reports.front(), style.color);
  }
  return text;
}

}  // namespace gpe::checks
