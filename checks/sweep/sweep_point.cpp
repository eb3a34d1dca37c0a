// The row of one point of a grid, and what decides its content. Tests: tests/cli/sweep.cmake
#include <algorithm>

#include "checks/cli/command_line.h"
#include "checks/cli/version.h"
#include "checks/content/effective_window.h"
#include "checks/halfline/definedness.h"
#include "checks/halfline/or_undecided.h"
#include "checks/report/plain_number.h"
#include "checks/sweep/sweep.h"
#include "theory/properties/property.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Rational;

void keep_points(Sweep& sweep, const std::string& text) {
  const std::size_t dots = text.find("..");
  const auto place = [&](const std::string& part) {
    const std::optional<Rational> value = Rational::parse(part);
    const bool is_place = value && value->is_integer() && value->sign() > 0 &&
                          *value <= Rational(static_cast<std::int64_t>(kMaxPoints));
    if (!is_place)
      throw theory::SpecError("--points " + text + ": expected FIRST..LAST, counted from 1, such as 1..100");
    return static_cast<std::size_t>(value->to_int64().value());
  };
  const std::size_t first = place(dots == std::string::npos ? "" : text.substr(0, dots));
  const std::size_t last = place(dots == std::string::npos ? "" : text.substr(dots + 2));
  if (first > last) throw theory::SpecError("--points " + text + ": expected FIRST <= LAST");
  const std::size_t count = sweep.points.size();
  if (first > count)
    throw theory::SpecError("--points " + text + ": the grid has " + theory::counted(count, "point"));
  sweep.points.erase(sweep.points.begin() + static_cast<std::ptrdiff_t>(std::min(last, count)),
                     sweep.points.end());
  sweep.points.erase(sweep.points.begin(), sweep.points.begin() + static_cast<std::ptrdiff_t>(first - 1));
}

std::string sweep_points(const Sweep& sweep) {
  std::string text = "encoding";
  for (const std::string& name : sweep.parameters) text += "," + name;
  text += ",sha256\n";
  for (std::size_t i = 0; i < sweep.points.size(); ++i)
    text += sweep_cells(sweep, i) + sweep.encodings.at(sweep.points[i].encoding).sha256 + "\n";
  return text;
}

std::string sweep_titles(const Sweep& sweep) {
  std::string titles = "encoding";
  for (const std::string& name : sweep.parameters) titles += "," + name;
  for (const theory::ReadingOf usual : theory::kUsualReadings)
    titles += "," + std::string(theory::short_name_of(theory::reading(usual).property));
  return titles + ",Z,H,mean_distance,local_range,effective_window,reach,self_reach";
}

std::string sweep_cells(const Sweep& sweep, std::size_t index) {
  const SweepPoint& point = sweep.points[index];
  std::string cells = sweep.encodings.at(point.encoding).name + ",";
  for (const std::string& name : sweep.parameters) {
    const auto at = std::ranges::find(point.values, name, [](const auto& one) { return one.first; });
    cells += (at == point.values.end() ? "" : plain_number(at->second)) + ",";
  }
  return cells;
}

std::string sweep_question(const Sweep& sweep, const theory::Setting& setting, const ReportOptions& options,
                           const theory::Budget& budget) {
  const std::chrono::duration<double> seconds = budget.each().value_or(theory::Budget::Duration(0));
  std::string question = std::string(kVersion) + "\n" + sweep_titles(sweep) + "\n" +
                         options.content_bounds.front().str() + " " + options.epsilons.front().str() + " " +
                         options.weights.front().str() + " " + options.threshold.str() + " " +
                         std::to_string(options.digits) + " " + std::to_string(setting.head_dim) + "\n" +
                         std::to_string(seconds.count()) + "\n";
  for (const auto& [name, encoding] : sweep.encodings) question += name + " " + encoding.sha256 + "\n";
  for (const SweepPoint& point : sweep.points) {
    question += point.encoding;
    for (const auto& [name, value] : point.values) question += " " + name + "=" + value.str();
    question += "\n";
  }
  return question;
}

std::string sweep_row(const Sweep& sweep, std::size_t index, const theory::Setting& setting,
                      const ReportOptions& options, const theory::Context& context) {
  const SweepPoint& point = sweep.points[index];
  const theory::Encoding& encoding = sweep.encodings.at(point.encoding);
  std::vector<theory::Override> overrides;
  for (const auto& [name, value] : point.values) overrides.push_back({name, theory::Expr(value)});
  const theory::ScoreFunction open = theory::instantiate(encoding, setting, overrides, context);
  say_each("check-properties", encoding.source, require_defined(open, encoding.source, context));
  const theory::ScoreFunction law = theory::at_values(open);
  std::string row = sweep_cells(sweep, index);
  const Rational bound = options.content_bounds.front();
  for (const theory::ReadingOf usual : theory::kUsualReadings) {
    const auto decide = [&] {
      const theory::Context question = theory::context_for(law, {}, context.question());
      return theory::decide(theory::reading(usual), law, theory::Expr(bound), question).truth;
    };
    const theory::Truth truth = attempt_all(decide).value_or(theory::Truth::undecided);
    if (truth == theory::Truth::undecided)
      row += "undecided,";
    else
      row += truth == theory::Truth::holds ? "holds," : "fails,";
  }
  const Sums all = enclose_sums(law, options.digits, context);
  const Reach reached = reach(law, options.weights.front(), bound, std::nullopt, context);
  for (const EnclosedNumber* one : {&all.z, &all.entropy, &all.mean_distance})
    row += plain_number(*one, options.digits, true) + ",";
  return row + plain_number(local_range(law, options.threshold, context).within) + "," +
         plain_number(effective_window(law, options.epsilons.front(), bound, std::nullopt, context)) + "," +
         plain_number(reached.n) + "," + plain_number(reached.self_reach);
}

}  // namespace gpe::checks
