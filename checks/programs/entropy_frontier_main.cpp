// entropy-frontier: what encodings spend in entropy for range, window and far weight, and the slope δ*.
// Tests: tests/cli/frontier.cmake

#include <algorithm>
#include <map>
#include <thread>

#include "checks/arb/expr_ball.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/write_file.h"
#include "checks/configs/encoding_library.h"
#include "checks/frontier/frontier_output.h"
#include "checks/halfline/definedness.h"
#include "checks/sweep/given_encoding.h"
#include "checks/sweep/parameter_grid.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"

namespace gpe::checks::entropy_frontier_program {
namespace {

constexpr std::size_t kMaxPoints = 100000;

struct Options {
  std::vector<std::string> encodings;
  bool all = false;
  std::vector<std::string> vary;
  std::vector<std::string> set;
  int points = 9;
  int heads = 1;
  int head_dim = 64;
  std::string threshold = "1";
  std::string epsilon = "1/1000";
  std::string content_bound = "0";
  std::string distance = "1000";
  std::string gain = "range";
  std::string delta_star;
  int digits = 0;
  std::string format = "text";
  std::string output;
  double time_limit = 10;
};

std::vector<Option> options(Options& o) {
  return {
      {"encodings", &o.encodings, "ENCODING", "built-in names, .toml files, or - for standard input"},
      {"--all", &o.all, "", "every built-in encoding whose weights are a softmax of functions of n",
       "Encodings"},
      {"--vary", &o.vary, "NAME=LOW..HIGH",
       "parameters to vary, exactly, by equal factors (LOW > 0) or steps; repeatable", "Encodings"},
      {"--points", &o.points, "N", "values of each varied parameter (default 9)", "Encodings",
       WholeNumbers{2, 100000}},
      {"--set", &o.set, "NAME=VALUE", "a parameter's value, exactly; ENCODING.NAME=VALUE for one of several",
       "Encodings"},
      {"--heads", &o.heads, "H", "number of heads: a point for each", "Encodings", WholeNumbers{1, 1024}},
      head_dim_option(o.head_dim, "Encodings"),
      threshold_option(o.threshold, "Numbers"),
      {"--epsilon", &o.epsilon, "E", "the weight that may lie beyond the window (default 1/1000)", "Numbers"},
      {"--content-bound", &o.content_bound, "B", "|c(n)| <= B for the window (default 0)", "Numbers"},
      {"--distance", &o.distance, "D", "weight beyond this distance (default 1000)", "Numbers"},
      {"--gain", &o.gain, "GAIN", "what a point may gain: range, window, mean or beyond (default range)",
       "Question"},
      {"--delta-star", &o.delta_star, "m=M,beta=B,gamma=C",
       "the slope at which APE has ALiBi's entropy, instead", "Question"},
      {"--digits", &o.digits, "P", "certified digits (text and csv default 6, JSON and delta* default 30)",
       "Numbers", WholeNumbers{1, 20000}},
      format_option(o.format, "Output", {"text", "json", "csv", "markdown", "latex"}),
      output_option(o.output, "Output"),
      color_option("Output"),
      time_limit_option(o.time_limit, "each number", "Numbers")};
}

DeltaStarQuestion delta_star_question(const Options& o) {
  DeltaStarQuestion result;
  result.digits = o.digits != 0 ? o.digits : 30;
  for (const std::string& part : split_commas(o.delta_star)) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::map<std::string, theory::Rational*> targets = {
        {"m", &result.m}, {"beta", &result.beta}, {"gamma", &result.gamma}};
    if (equals == std::string::npos || !targets.contains(name))
      throw theory::SpecError("--delta-star: '" + part + "': expected m=M,beta=B,gamma=C");
    *targets.at(name) = number_option("--delta-star " + name, part.substr(equals + 1));
  }
  if (result.m.sign() <= 0) throw theory::SpecError("--delta-star: expected m > 0");
  if (result.beta.sign() < 0 || result.gamma.sign() < 0)
    throw theory::SpecError("--delta-star: expected beta >= 0 and gamma >= 0");
  return result;
}

TradeOffOptions trade_off_options(const Options& o) {
  TradeOffOptions result;
  result.threshold = positive_option("--threshold", o.threshold);
  result.epsilon = share_option("--epsilon", o.epsilon);
  result.content_bound = bound_option("--content-bound", o.content_bound);
  result.distance = length_option("--distance", o.distance);
  const int usual_digits = o.format == "json" ? 30 : 6;
  result.digits = o.digits != 0 ? o.digits : usual_digits;
  return result;
}

// The points of one encoding: every head, every combination of the parameters that are varied.
void add_points(const std::string& name, const Options& o, const std::vector<VariedParameter>& varied,
                const std::vector<Assignment>& assignments, const theory::Context& context,
                std::vector<FrontierPoint>& points) {
  for (int head = 1; head <= o.heads; ++head) {
    const theory::Encoding encoding = find_encoding(name, {head, o.heads, 1, 1});
    const GivenEncoding given({name, encoding.name}, encoding);
    std::vector<theory::Override> overrides = overrides_of(given, assignments);
    const std::size_t fixed = overrides.size();
    std::vector<std::vector<theory::Rational>> values;
    for (const VariedParameter& one : varied) {
      if (!given.has(one.encoding, one.name)) continue;
      require_not_set(one, overrides);
      overrides.push_back({one.name, theory::Expr(0)});
      values.push_back(is_whole(encoding, one.name) ? spaced_whole(one.low, one.high, o.points)
                                                    : spaced(one.low, one.high, o.points));
    }
    std::size_t count = 1;
    for (const std::vector<theory::Rational>& one : values) count *= one.size();
    if (points.size() + count > kMaxPoints)
      throw theory::SpecError("more than " + std::to_string(kMaxPoints) + " points; lower --points");
    for (const std::vector<theory::Rational>& chosen : combinations(values)) {
      for (std::size_t i = 0; i < chosen.size(); ++i) overrides[fixed + i].value = theory::Expr(chosen[i]);
      const theory::ScoreFunction law =
          theory::instantiate(encoding, {o.head_dim, head, o.heads, 1, 1}, overrides, context);
      say_each("entropy-frontier", encoding.source, require_defined(law, encoding.source, context));
      FrontierPoint point;
      point.encoding = encoding.name;
      point.head = o.heads > 1 ? head : 0;
      for (const theory::ParameterValue& parameter : law.parameters)
        point.parameters.emplace_back(parameter.name, theory::to_text(parameter.value));
      point.law = theory::at_values(law);
      points.push_back(std::move(point));
    }
  }
}

FrontierReport report_of(const Options& o, const theory::Context& context) {
  FrontierReport report;
  report.options = trade_off_options(o);
  report.gain = gain_option("--gain", o.gain);
  require_even_head_dim(o.head_dim);
  if (o.all && !o.encodings.empty()) throw theory::SpecError("--all takes no further encodings");
  const std::vector<std::string> names = o.all ? softmax_library_names() : o.encodings;
  if (names.empty())
    throw theory::SpecError(
        "no encoding given; expected a built-in name, a .toml file, --all or --delta-star");
  std::vector<VariedParameter> varied;
  for (const std::string& text : o.vary) varied.push_back(vary_option("--vary", text));
  std::vector<Assignment> assignments;
  for (const std::string& text : o.set) assignments.push_back(assignment_option("--set", text));
  std::vector<GivenEncoding> given;
  for (const std::string& name : names) {
    const theory::Encoding encoding = find_encoding(name, {1, o.heads, 1, 1});
    given.emplace_back(std::vector<std::string>{name, encoding.name}, encoding);
  }
  for (const VariedParameter& one : varied) require_parameter("--vary", one.encoding, one.name, given);
  for (const Assignment& one : assignments) require_parameter("--set", one.encoding, one.name, given);
  for (const VariedParameter& one : varied) {
    if (std::ranges::find(report.varied, one.name) == report.varied.end()) report.varied.push_back(one.name);
  }
  for (const std::string& name : names) add_points(name, o, varied, assignments, context, report.points);
  ProgressLine line("entropy-frontier");
  const auto total = static_cast<double>(report.points.size());
  compute(report.points, report.options, context, std::max(1U, std::thread::hardware_concurrency()),
          [&](std::size_t started) { line.show("points", static_cast<double>(started) / total); });
  mark_pareto_front(report.points, report.gain);
  return report;
}

int entropy_frontier(const Options& o) {
  const theory::Context context = ball_context(theory::Budget(seconds_option(o.time_limit)));
  if (!o.delta_star.empty()) {
    if (!o.encodings.empty() || o.all || !o.vary.empty() || !o.set.empty())
      throw theory::SpecError("--delta-star takes no encodings, --all, --vary or --set");
    if (o.format != "text" && o.format != "json")
      throw theory::SpecError("--delta-star: --format is text or json");
    const DeltaStarQuestion question = delta_star_question(o);
    ProgressLine line("entropy-frontier");
    line.show("delta*", 0);
    const DeltaStar answer = delta_star(question.m, question.beta, question.gamma, question.digits, context);
    line.clear();
    write_output(o.output,
                 o.format == "json" ? delta_star_json(question, answer) : delta_star_text(question, answer));
    return kDone;
  }
  const FrontierReport report = report_of(o, context);
  if (o.format == "json")
    write_output(o.output, frontier_json(report));
  else if (o.format == "csv")
    write_output(o.output, frontier_csv(report));
  else if (o.format == "markdown")
    write_output(o.output, frontier_markdown(report));
  else if (o.format == "latex")
    write_output(o.output, frontier_latex(report));
  else
    write_output(o.output, frontier_text(report, has_color(o.output)));
  return kDone;
}

}  // namespace

int run(int argc, char** argv) {
  return program_main(
      {"entropy-frontier",
       "What encodings spend in entropy for local range, window and far weight; and the slope delta*.",
       "Examples:\n"
       "  entropy-frontier alibi ape --vary alibi.m=1/4096..1/2 --vary ape.delta=1/4096..1/2\n"
       "  entropy-frontier ape --vary delta=1/4096..1/2 --vary beta=0..1 --points 30 --format csv\n"
       "  entropy-frontier --delta-star m=1/16,beta=1/10,gamma=1/10 --digits 50\n"
       "Exit: 0 done, 2 bad use or specification, 1 anything else."},
      argc, argv, options, entropy_frontier);
}

}  // namespace gpe::checks::entropy_frontier_program
