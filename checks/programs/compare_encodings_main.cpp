// compare-encodings: which of two encodings has the larger entropy, range, window and reach, and where that
// changes. Tests: tests/cli/compare.cmake

#include "checks/arb/expr_ball.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/compare/comparison_output.h"
#include "checks/configs/encoding_library.h"
#include "checks/halfline/definedness.h"
#include "checks/sweep/given_encoding.h"
#include "checks/sweep/parameter_grid.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"

namespace gpe::checks::compare_encodings_program {
namespace {

constexpr const char* kFirst = "first";
constexpr const char* kSecond = "second";

struct Options {
  std::string first;
  std::string second;
  std::vector<std::string> set;
  std::string vary;
  int points = 17;
  int heads = 1;
  int head = 1;
  int head_dim = 64;
  std::string threshold = "1";
  std::string epsilon = "1/1000";
  std::string weight = "1/2";
  std::string content_bound = "1";
  std::string distance;
  int digits = 0;
  std::string format = "text";
  std::string output;
  double time_limit = 10;
};

std::vector<Option> options(Options& o) {
  return {
      {"first", &o.first, "ENCODING", "a built-in name, a .toml file, or - for standard input", "",
       Required{}},
      {"second", &o.second, "ENCODING", "the one to compare it with", "", Required{}},
      {"--set", &o.set, "NAME=VALUE",
       "a parameter's value, exactly; ENCODING.NAME=VALUE, first.NAME, second.NAME", "Setting"},
      {"--vary", &o.vary, "NAME=LOW..HIGH",
       "a parameter along which to look for changes; prefixes as for --set", "Along a parameter"},
      {"--points", &o.points, "N", "values tried along it before closing in (default 17)",
       "Along a parameter", WholeNumbers{2, 10000}},
      {"--heads", &o.heads, "H", "number of heads", "Setting", WholeNumbers{1, 1024}},
      {"--head", &o.head, "h", "this head of both, from 1", "Setting", WholeNumbers{1, 1024}},
      head_dim_option(o.head_dim, "Setting"),
      threshold_option(o.threshold, "Numbers"),
      {"--epsilon", &o.epsilon, "E", "the weight that may lie beyond the window (default 1/1000)", "Numbers"},
      {"--weight", &o.weight, "P", "reach: the weight a far token must still get (default 1/2)", "Numbers"},
      {"--content-bound", &o.content_bound, "B", "|c(n)| <= B for window and reach (default 1)", "Setting"},
      {"--distance", &o.distance, "N", "also A at this n for random unit vectors times sqrt(B sqrt(d))",
       "Numbers"},
      {"--digits", &o.digits, "P", "certified digits (text default 8, JSON default 30)", "Numbers",
       WholeNumbers{1, 20000}},
      format_option(o.format, "Output", {"text", "json", "markdown", "latex"}),
      output_option(o.output, "Output"),
      color_option("Output"),
      time_limit_option(o.time_limit, "each number", "Numbers")};
}

// One of the two, and what the command line says about it.
struct Side {
  std::string given;
  std::string side;  // "first", "second"
  theory::Encoding encoding;
  std::vector<theory::Override> overrides;

  GivenEncoding called() const { return {{side, given, encoding.name}, encoding}; }
  bool is_meant(const VariedParameter& one) const { return called().has(one.encoding, one.name); }
};

theory::Setting setting_of(const Options& o) {
  require_one_of("head", o.head, o.heads);
  require_even_head_dim(o.head_dim);
  return {o.head_dim, o.head, o.heads, 1, 1};
}

ComparisonOptions comparison_options(const Options& o) {
  ComparisonOptions result;
  result.threshold = positive_option("--threshold", o.threshold);
  result.epsilon = share_option("--epsilon", o.epsilon);
  result.weight = share_option("--weight", o.weight);
  result.content_bound = bound_option("--content-bound", o.content_bound);
  if (!o.distance.empty()) result.distance = length_option("--distance", o.distance);
  const int usual_digits = o.format == "json" ? 30 : 8;
  result.digits = o.digits != 0 ? o.digits : usual_digits;
  return result;
}

theory::ScoreFunction law_of(const Side& side, const theory::Setting& setting,
                             const theory::Context& context) {
  return theory::instantiate(side.encoding, setting, side.overrides, context);
}

ComparedEncoding described(const Side& side, const theory::ScoreFunction& law, bool same_names) {
  ComparedEncoding result;
  result.label = side.encoding.name + (same_names ? " (" + side.side + ")" : "");
  for (const theory::ParameterValue& parameter : law.parameters)
    result.parameters.emplace_back(parameter.name, theory::to_text(parameter.value));
  return result;
}

// The law at a value of the parameter that is varied, checked as if it had been --set.
std::function<theory::ScoreFunction(const theory::Rational&)> moving(const Side& side,
                                                                     const std::string& parameter,
                                                                     const theory::Setting& setting,
                                                                     const theory::Context& context) {
  return [&side, parameter, setting, &context](const theory::Rational& value) {
    std::vector<theory::Override> overrides = side.overrides;
    overrides.push_back({parameter, theory::Expr(value)});
    const theory::ScoreFunction law = theory::instantiate(side.encoding, setting, overrides, context);
    say_each("compare-encodings", side.encoding.source, require_defined(law, side.encoding.source, context));
    return theory::at_values(law);
  };
}

void follow(const VariedParameter& varied, const Side& first, const Side& second, const Options& o,
            const theory::Context& context, ComparisonReport& report) {
  const theory::Setting setting = setting_of(o);
  report.parameter = varied.name;
  report.low = varied.low;
  report.high = varied.high;
  Pair pair;
  pair.first_moves = first.is_meant(varied);
  pair.second_moves = second.is_meant(varied);
  const auto prepare = [&](const Side& side, bool moves, auto& law, std::optional<Tilt>& tilt) {
    if (!moves) {
      law = [fixed = theory::at_values(law_of(side, setting, context))](const theory::Rational&) {
        return fixed;
      };
      return;
    }
    law = moving(side, varied.name, setting, context);
    const theory::ScoreFunction open = theory::at_values(law_of(side, setting, context), {varied.name});
    tilt = tilt_of(open, varied.name, varied.low, varied.high, context);
  };
  prepare(first, pair.first_moves, pair.first, pair.first_tilt);
  prepare(second, pair.second_moves, pair.second, pair.second_tilt);
  pair.whole = (pair.first_moves && is_whole(first.encoding, varied.name)) ||
               (pair.second_moves && is_whole(second.encoding, varied.name));
  const std::vector<theory::Rational> values = pair.whole ? spaced_whole(varied.low, varied.high, o.points)
                                                          : spaced(varied.low, varied.high, o.points);
  if (values.size() < 2)
    throw theory::SpecError("--vary " + varied.name + ": expected two whole numbers or more");
  ProgressLine line("compare-encodings");
  const std::vector<ComparedQuantity> asked = quantities(report.options);
  for (const ComparedQuantity quantity : asked) {
    line.show("quantities along " + varied.name,
              static_cast<double>(report.crossings.size()) / static_cast<double>(asked.size()));
    report.crossings.push_back(
        find_crossings(pair, quantity, values, report.digits, report.options, context));
  }
}

int compare_encodings(const Options& o) {
  const theory::Context context = ball_context(theory::Budget(seconds_option(o.time_limit)));
  const theory::Setting setting = setting_of(o);
  ComparisonReport report;
  report.options = comparison_options(o);
  report.digits = report.options.digits;
  const theory::TableColumn column{o.head, o.heads, 1, 1};
  Side first{o.first, kFirst, find_encoding(o.first, column), {}};
  Side second{o.second, kSecond, find_encoding(o.second, column), {}};
  const std::vector<GivenEncoding> given = {first.called(), second.called()};
  std::vector<Assignment> assignments;
  for (const std::string& text : o.set) {
    assignments.push_back(assignment_option("--set", text));
    require_parameter("--set", assignments.back().encoding, assignments.back().name, given);
  }
  for (Side* side : {&first, &second}) side->overrides = overrides_of(side->called(), assignments);
  const theory::ScoreFunction first_law = law_of(first, setting, context);
  const theory::ScoreFunction second_law = law_of(second, setting, context);
  say_each("compare-encodings", first.encoding.source,
           require_defined(first_law, first.encoding.source, context));
  say_each("compare-encodings", second.encoding.source,
           require_defined(second_law, second.encoding.source, context));
  const bool same_names = first.encoding.name == second.encoding.name;
  report.first = described(first, first_law, same_names);
  report.second = described(second, second_law, same_names);
  for (const ComparedQuantity quantity : quantities(report.options)) {
    report.comparisons.push_back(compare(theory::at_values(first_law), theory::at_values(second_law),
                                         quantity, report.options, context));
  }
  if (!o.vary.empty()) {
    const VariedParameter varied = vary_option("--vary", o.vary);
    require_parameter("--vary", varied.encoding, varied.name, given);
    follow(varied, first, second, o, context, report);
  }
  if (o.format == "json")
    write_output(o.output, comparison_json(report));
  else if (o.format == "markdown")
    write_output(o.output, comparison_markdown(report));
  else if (o.format == "latex")
    write_output(o.output, comparison_latex(report));
  else
    write_output(o.output, comparison_text(report, has_color(o.output)));
  return kDone;
}

}  // namespace

int run(int argc, char** argv) {
  return program_main(
      {"compare-encodings",
       "Which of two encodings has the larger entropy, range, window and reach, and where that changes.",
       "Example:\n"
       "  compare-encodings ape alibi --set m=1/16 --set delta=1/16 --vary delta=1/100..1/10\n"
       "Exit: 0 done, 2 bad use or specification, 1 anything else."},
      argc, argv, options, compare_encodings);
}

}  // namespace gpe::checks::compare_encodings_program
