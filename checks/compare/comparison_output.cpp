#include "checks/compare/comparison_output.h"
// Tests: tests/cli/compare.cmake
#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/cli/version.h"
#include "checks/report/json_number.h"
#include "checks/report/report_cells.h"
#include "checks/report/report_content.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace {

Cell cell_of(const Amount& amount, int digits) {
  return amount.is_count ? count_cell(amount.count) : number_cell(amount.number, digits);
}

Json json_of(const Amount& amount, int digits) {
  return amount.is_count ? json_count(amount.count) : json_enclosed(amount.number, digits);
}

std::string who(Order order, const ComparisonReport& report) {
  switch (order) {
    case Order::first:
      return report.first.label;
    case Order::second:
      return report.second.label;
    case Order::tie:
      return "equal";
    case Order::undecided:
      return "undecided";
  }
  return "";
}

std::string line_of(const ComparedEncoding& encoding) {
  return theory::joined(encoding.parameters, ", ",
                        [](const auto& one) { return one.first + " = " + one.second; });
}

// "0.045243984", or "(1 - log(2)/10)/2 = 0.46534264", or "between 0.1 and 0.2".
std::string place_of(const Change& change, int digits) {
  const Decimal decimal = proved_decimal(change.value, digits);
  std::string number = decimal.text;
  if (decimal.digits == 0) {
    const DecimalEnds ends = decimal_ends(change.value, 4);
    number = "between " + ends.lower + " and " + ends.upper;
  }
  if (change.exact.empty()) return number;
  const bool plain = change.exact.find_first_of("/*+(^") == std::string::npos;
  return plain ? change.exact : change.exact + " = " + number;
}

Cell larger_cell(const Comparison& one, const ComparisonReport& report) {
  switch (one.larger.order) {
    case Order::tie:
      return {"equal", Tone::mixed};
    case Order::undecided:
      return {"undecided", Tone::unsure};
    default:
      return {who(one.larger.order, report), Tone::strong};
  }
}

std::vector<std::string> notes_of(const ComparisonReport& report) {
  std::vector<std::string> notes;
  for (const Comparison& one : report.comparisons) {
    const bool plain = one.larger.reason.empty() || one.larger.reason == "equal";
    if (!plain) notes.push_back(title_of(one.quantity, report.options) + ": " + one.larger.reason);
  }
  return notes;
}

Json parameters_json(const ComparedEncoding& encoding) {
  Json parameters = Json::object();
  for (const auto& [name, value] : encoding.parameters) parameters[name] = value;
  return Json{{"name", encoding.label}, {"parameters", parameters}};
}

Json crossings_json(const Crossings& crossings, int digits) {
  Json orders = Json::array();
  for (const Ordered& order : crossings.orders) {
    orders.push_back(Json{{"larger", name_of(order.order)}, {"reason", json_text_or_null(order.reason)}});
  }
  Json changes = Json::array();
  for (const Change& change : crossings.changes) {
    const DecimalEnds ends =
        change.whole ? DecimalEnds{change.low.str(), change.high.str()} : decimal_ends(change.value, digits);
    changes.push_back(Json{{"lower", ends.lower},
                           {"upper", ends.upper},
                           {"exact", json_text_or_null(change.exact)},
                           {"reason", json_text_or_null(change.reason)}});
  }
  return Json{{"quantity", name_of(crossings.quantity)},
              {"orders", orders},
              {"changes", changes},
              {"proved", crossings.proved},
              {"reason", crossings.reason}};
}

}  // namespace

std::string in_words(const Crossings& crossings, const ComparisonReport& report) {
  if (crossings.changes.empty()) return who(crossings.orders.front().order, report) + " throughout";
  if (crossings.changes.front().whole) {
    std::string neighbours =
        who(crossings.orders.front().order, report) + " up to " + crossings.changes.front().low.str();
    for (std::size_t i = 0; i < crossings.changes.size(); ++i) {
      const theory::Rational& from = crossings.changes[i].high;
      const bool last = i + 1 == crossings.changes.size();
      const std::string to = last ? "" : crossings.changes[i + 1].low.str();
      neighbours += ", " + who(crossings.orders[i + 1].order, report) +
                    (to == from.str() ? " at " : " from ") + from.str();
      if (!last && to != from.str()) neighbours += " up to " + to;
    }
    return neighbours;
  }
  std::string text = who(crossings.orders.front().order, report) + " below ";
  for (std::size_t i = 0; i < crossings.changes.size(); ++i) {
    const bool last = i + 1 == crossings.changes.size();
    const Change& change = crossings.changes[i];
    // laws that are the same at one number only
    const bool point = !last && !change.exact.empty() && change.exact == crossings.changes[i + 1].exact;
    text += place_of(change, report.digits);
    if (point) {
      text += ", equal there, ";
      ++i;
      text += who(crossings.orders[i + 1].order, report) +
              (i + 1 == crossings.changes.size() ? " above" : " up to ");
      continue;
    }
    text += ", " + who(crossings.orders[i + 1].order, report) + (last ? " above" : " up to ");
  }
  return text;
}

namespace {

// The comparisons, and with --vary the changes along the parameter.
std::vector<TextTable> tables_of(const ComparisonReport& report) {
  std::vector<TextTable> tables(1);
  tables.front().add_row({{"", Tone::plain},
                          {report.first.label, Tone::strong},
                          {report.second.label, Tone::strong},
                          {"larger", Tone::strong}});
  const int digits = report.options.digits;
  for (const Comparison& one : report.comparisons) {
    tables.front().add_row({{title_of(one.quantity, report.options)},
                            cell_of(one.first, digits),
                            cell_of(one.second, digits),
                            larger_cell(one, report)});
  }
  if (report.crossings.empty()) return tables;
  tables.emplace_back().add_row({{"along " + report.parameter}, {"larger"}, {"no other changes"}});
  for (const Crossings& crossings : report.crossings) {
    tables.back().add_row({{title_of(crossings.quantity, report.options)},
                           {in_words(crossings, report)},
                           {crossings.proved ? "proved" : crossings.reason}});
  }
  return tables;
}

std::vector<std::string> encodings_of(const ComparisonReport& report) {
  std::vector<std::string> lines;
  for (const ComparedEncoding* one : {&report.first, &report.second})
    lines.push_back(one->label + (one->parameters.empty() ? "" : ": " + line_of(*one)));
  return lines;
}

}  // namespace

std::string comparison_text(const ComparisonReport& report, bool color) {
  std::string text =
      theory::joined(encodings_of(report), "\n") + "\n\n" + tables_of(report).front().text(color);
  for (const std::string& note : notes_of(report)) text += "  " + note + "\n";
  if (report.crossings.empty()) return text;
  text += "\nlarger along " + report.parameter + " = " + report.low.str() + " .. " + report.high.str() + "\n";
  TextTable along;
  for (const Crossings& crossings : report.crossings)
    along.add_row({{title_of(crossings.quantity, report.options)}, {in_words(crossings, report)}});
  text += along.text(color);
  for (const Crossings& crossings : report.crossings) {
    const std::string title = title_of(crossings.quantity, report.options);
    if (!crossings.proved) text += "  " + title + ": " + crossings.reason + "\n";
    for (const Change& change : crossings.changes) {
      if (!change.reason.empty()) text += "  " + title + ": " + change.reason + "\n";
    }
  }
  return text;
}

std::string comparison_markdown(const ComparisonReport& report) {
  std::string text = "- " + theory::joined(encodings_of(report), "\n- ") + "\n";
  const std::vector<TextTable> tables = tables_of(report);
  text += "\n" + tables.front().markdown();
  const std::vector<std::string> notes = notes_of(report);
  if (!notes.empty()) text += "\n";
  for (const std::string& note : notes) text += "- " + note + "\n";
  return tables.size() > 1 ? text + "\n" + tables.back().markdown() : text;
}

std::string comparison_latex(const ComparisonReport& report) {
  std::vector<std::string> notes = encodings_of(report);
  std::ranges::move(notes_of(report), std::back_inserter(notes));
  return latex_page(notes, tables_of(report));
}

std::string comparison_json(const ComparisonReport& report) {
  const ComparisonOptions& o = report.options;
  Json comparisons = Json::array();
  for (const Comparison& one : report.comparisons) {
    comparisons.push_back(Json{{"quantity", name_of(one.quantity)},
                               {"first", json_of(one.first, o.digits)},
                               {"second", json_of(one.second, o.digits)},
                               {"larger", name_of(one.larger.order)},
                               {"reason", json_text_or_null(one.larger.reason)}});
  }
  Json along = nullptr;
  if (!report.crossings.empty()) {
    Json all = Json::array();
    for (const Crossings& crossings : report.crossings)
      all.push_back(crossings_json(crossings, report.digits));
    along = Json{{"parameter", report.parameter},
                 {"low", report.low.str()},
                 {"high", report.high.str()},
                 {"courses", all}};
  }
  const Json json{{"schema", 1},
                  {"generator", Json{{"program", "compare-encodings"}, {"version", kVersion}}},
                  {"encodings", Json::array({parameters_json(report.first), parameters_json(report.second)})},
                  {"threshold", o.threshold.str()},
                  {"epsilon", o.epsilon.str()},
                  {"weight", o.weight.str()},
                  {"content_bound", o.content_bound.str()},
                  {"distance", o.distance ? json_integer(*o.distance) : Json(nullptr)},
                  {"comparisons", comparisons},
                  {"along", along}};
  return json_text(json);
}

}  // namespace gpe::checks
