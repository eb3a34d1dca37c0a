#include "checks/frontier/frontier_output.h"
// Tests: tests/cli/frontier.cmake
#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/cli/version.h"
#include "checks/report/json_number.h"
#include "checks/report/plain_number.h"
#include "checks/report/report_cells.h"
#include "checks/report/report_content.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Rational;

namespace {

// A fraction as a decimal, when seven digits are all it has.
std::string short_text(const std::string& value) {
  constexpr int kFigures = 7;
  const auto number = Rational::parse(value);
  if (!number || number->is_integer()) return value;
  const std::string decimal = decimal_below(*number, kFigures);
  if (Rational::parse(decimal) != number) return value;
  const std::size_t last = decimal.find_last_not_of('0');
  return decimal.find('e') == std::string::npos ? decimal.substr(0, last + 1) : decimal;
}

std::string parameter_of(const FrontierPoint& point, const std::string& name) {
  for (const auto& [known, value] : point.parameters) {
    if (known == name) return short_text(value);
  }
  return "";
}

// What could not be had, and for which points: each reason once.
std::vector<std::string> notes(const FrontierReport& report) {
  std::vector<std::string> seen;
  for (const FrontierPoint& point : report.points) {
    const TradeOff& t = point.numbers;
    const auto note = [&](const std::string& what, bool missing, const std::string& reason) {
      if (!missing || reason.empty()) return;
      const std::string line = name_of(point) + ": " + what + ": " + reason;
      if (std::ranges::find(seen, line) == seen.end()) seen.push_back(line);
    };
    const auto number = [&](const std::string& what, const EnclosedNumber& n) {
      note(what, n.finite == Finite::unknown, n.reason);
    };
    number("entropy", t.sums.entropy);
    number("least entropy", t.least);
    number("weight beyond", t.beyond);
    note("local range", t.range.kind == BigCount::Kind::unknown, t.range.reason);
    note("window", t.window.kind == BigCount::Kind::unknown, t.window.reason);
  }
  return seen;
}

Json generator() { return Json{{"program", "entropy-frontier"}, {"version", kVersion}}; }

}  // namespace

std::string name_of(const FrontierPoint& point) {
  return point.head == 0 ? point.encoding : point.encoding + " " + std::to_string(point.head);
}

namespace {

TextTable table_of(const FrontierReport& report) {
  const int digits = report.options.digits;
  TextTable table;
  std::vector<Cell> head = {{"encoding", Tone::strong}};
  for (const std::string& name : report.varied) head.push_back({name, Tone::strong});
  for (const char* name : {"H", "mean", "range", "least H", "H - least", "window", "beyond", ""})
    head.push_back({name, Tone::strong});
  table.add_row(head);
  for (const FrontierPoint& point : report.points) {
    const TradeOff& t = point.numbers;
    std::vector<Cell> row = {{name_of(point)}};
    for (const std::string& name : report.varied) row.push_back({parameter_of(point, name)});
    row.push_back(number_cell(t.sums.entropy, digits));
    row.push_back(number_cell(t.sums.mean_distance, digits));
    row.push_back(count_cell(t.range));
    row.push_back(number_cell(t.least, digits));
    row.push_back(number_cell(t.excess, digits));
    row.push_back(count_cell(t.window));
    row.push_back(number_cell(t.beyond, std::min(digits, 4)));
    const std::string mark = point.unsettled ? "?" : "";
    row.push_back({point.efficient ? "*" : mark});
    table.add_row(row);
  }
  return table;
}

// What the columns are.
std::vector<std::string> legend(const FrontierReport& report) {
  const TradeOffOptions& o = report.options;
  std::vector<std::string> lines = {
      "H: entropy in nats, mean: mean distance, both without content",
      "range: largest N with |b(n)| <= " + o.threshold.str() + " for all n <= N",
      "least H: of any encoding with this range and b(first) = 0 >= b(n) for all n >= first",
      "window: least W with a weight of at most " + o.epsilon.str() +
          " beyond it, whatever the content, |c| <= " + o.content_bound.str(),
      "beyond: weight on all n > " + o.distance.str(),
      "*: no other point has as much " + name_of(report.gain) + " with less entropy"};
  if (std::ranges::any_of(report.points, &FrontierPoint::unsettled))
    lines.emplace_back("?: not decided, as the numbers of this point or of another one are not");
  return lines;
}

}  // namespace

std::string frontier_text(const FrontierReport& report, bool color) {
  std::string text = table_of(report).text(color, 0) + "\n" + theory::joined(legend(report), "\n") + "\n";
  const std::vector<std::string> missing = notes(report);
  return missing.empty() ? text : text + "\n  " + theory::joined(missing, "\n  ") + "\n";
}

std::string frontier_markdown(const FrontierReport& report) {
  std::vector<std::string> lines = legend(report);
  std::ranges::move(notes(report), std::back_inserter(lines));
  return table_of(report).markdown() + "\n- " + theory::joined(lines, "\n- ", escaped_markdown) + "\n";
}

std::string frontier_latex(const FrontierReport& report) {
  std::vector<std::string> lines = legend(report);
  std::ranges::move(notes(report), std::back_inserter(lines));
  return latex_page(lines, {table_of(report)});
}

std::string frontier_json(const FrontierReport& report) {
  const TradeOffOptions& o = report.options;
  const int digits = o.digits;
  Json points = Json::array();
  for (const FrontierPoint& point : report.points) {
    const TradeOff& t = point.numbers;
    Json parameters = Json::object();
    for (const auto& [name, value] : point.parameters) parameters[name] = value;
    points.push_back(Json{{"name", point.encoding},
                          {"head", point.head == 0 ? Json(nullptr) : Json(point.head)},
                          {"parameters", parameters},
                          {"H", json_enclosed(t.sums.entropy, digits)},
                          {"mean_distance", json_enclosed(t.sums.mean_distance, digits)},
                          {"local_range", json_count(t.range)},
                          {"least_entropy", json_enclosed(t.least, digits)},
                          {"excess", json_enclosed(t.excess, digits)},
                          {"effective_window", json_count(t.window)},
                          {"weight_beyond", json_enclosed(t.beyond, digits)},
                          {"efficient", point.unsettled ? Json(nullptr) : Json(point.efficient)}});
  }
  const Json json{{"schema", 1},
                  {"generator", generator()},
                  {"threshold", o.threshold.str()},
                  {"epsilon", o.epsilon.str()},
                  {"content_bound", o.content_bound.str()},
                  {"distance", json_integer(o.distance)},
                  {"gain", name_of(report.gain)},
                  {"points", points}};
  return json_text(json);
}

std::string frontier_csv(const FrontierReport& report) {
  const auto plain = [digits = report.options.digits](const EnclosedNumber& number) {
    return plain_number(number, digits, false);
  };
  std::string text = "encoding,head";
  for (const std::string& name : report.varied) text += "," + name;
  text += ",H,mean_distance,local_range,least_entropy,excess,effective_window,weight_beyond,efficient\n";
  for (const FrontierPoint& point : report.points) {
    const TradeOff& t = point.numbers;
    text += point.encoding + "," + (point.head == 0 ? "" : std::to_string(point.head));
    for (const std::string& name : report.varied) text += "," + parameter_of(point, name);
    for (const std::string& value :
         {plain(t.sums.entropy), plain(t.sums.mean_distance), plain_number(t.range), plain(t.least),
          plain(t.excess), plain_number(t.window), plain(t.beyond)})
      text += "," + value;
    const std::string mark = point.unsettled ? "" : "0";
    text += "," + (point.efficient ? "1" : mark) + "\n";
  }
  return text;
}

std::string delta_star_text(const DeltaStarQuestion& q, const DeltaStar& answer) {
  const std::string at =
      "delta*(m = " + q.m.str() + ", beta = " + q.beta.str() + ", gamma = " + q.gamma.str() + ")";
  std::string text;
  switch (answer.kind) {
    case DeltaStar::Kind::found: {
      const Decimal decimal = proved_decimal(answer.value, q.digits);
      const auto [lower, upper] = decimal_ends(answer.value, 3);
      std::string value = "between " + lower + " and " + upper;
      if (decimal.digits > 0) value = decimal.text;
      if (answer.exact) value = answer.exact->str();
      text = at + " = " + value + "\n";
      if (!answer.reason.empty())
        text += "  " + std::to_string(decimal.digits) + " digits proved: " + answer.reason + "\n";
      break;
    }
    case DeltaStar::Kind::none:
      text = at + ": none\n  " + answer.reason + "\n";
      break;
    case DeltaStar::Kind::undecided:
      text = at + ": undecided\n  " + answer.reason + "\n";
      break;
  }
  TextTable table;
  table.add_row({{"entropy of ALiBi, -m*n"}, number_cell(answer.alibi, q.digits)});
  table.add_row({{"entropy of APE at delta = m"}, number_cell(answer.at_m, q.digits)});
  table.add_row({{"entropy of APE at delta = 0"}, number_cell(answer.at_zero, q.digits)});
  text += table.text(false);
  if (answer.kind == DeltaStar::Kind::found)
    text +=
        "  APE, -delta*n - beta*log(1+n) - gamma*sqrt(n), has more entropy than ALiBi below delta*, less "
        "above\n";
  return text;
}

std::string delta_star_json(const DeltaStarQuestion& q, const DeltaStar& answer) {
  Json value = nullptr;
  if (answer.kind == DeltaStar::Kind::found) {
    value = json_ends(answer.value, q.digits);
    value["exact"] = answer.exact ? Json(answer.exact->str()) : Json(nullptr);
    value["digits"] = answer.exact ? q.digits : proved_decimal(answer.value, q.digits).digits;
  }
  std::string kind = "undecided";
  if (answer.kind == DeltaStar::Kind::found) kind = "found";
  if (answer.kind == DeltaStar::Kind::none) kind = "none";
  const Json json{{"schema", 1},
                  {"generator", generator()},
                  {"m", q.m.str()},
                  {"beta", q.beta.str()},
                  {"gamma", q.gamma.str()},
                  {"kind", kind},
                  {"delta_star", value},
                  {"reason", json_text_or_null(answer.reason)},
                  {"H_alibi", json_enclosed(answer.alibi, q.digits)},
                  {"H_ape_at_m", json_enclosed(answer.at_m, q.digits)},
                  {"H_ape_at_zero", json_enclosed(answer.at_zero, q.digits)}};
  return json_text(json);
}

}  // namespace gpe::checks
