// design-encoding: parameters of a family that meet requirements, or a proof that there are none.
// Tests: tests/cli/design.cmake

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/write_file.h"
#include "checks/configs/encoding_library.h"
#include "checks/design/design_certificate.h"
#include "checks/design/design_output.h"
#include "checks/halfline/definedness.h"
#include "checks/programs/ask_verifier.h"
#include "checks/sweep/given_encoding.h"
#include "checks/sweep/parameter_grid.h"
#include "theory/exact/attempt.h"
#include "theory/exact/decision.h"
#include "theory/score/parameter_ranges.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"
#include "theory/source/text_list.h"

namespace gpe::checks::design_encoding_program {
namespace {

constexpr int kUndecided = 5;  // neither found nor proved impossible, or not within the gap

struct Options {
  std::string family;
  std::vector<std::string> vary, set;
  std::string content_bound = "0";
  int head_dim = 64;
  bool converges = false;
  std::vector<std::string> entropy, entropy_at, range, cache, reach;
  std::string minimize, maximize, gap = "1e-6";
  std::string encoding, certificate, format = "text", output;
  double time_limit = 60;
};

std::vector<Option> options(Options& o) {
  return {
      {"family", &o.family, "FAMILY", "a built-in name, a .toml file, or - for standard input", "",
       Required{}},
      {"--vary", &o.vary, "NAME=LOW..HIGH",
       "a free parameter, beside those with a range in the file; repeatable", "Family"},
      {"--set", &o.set, "NAME=VALUE", "a parameter's value, exactly", "Family"},
      {"--content-bound", &o.content_bound, "B", "|c(n)| <= B for cache and reach (default 0)", "Family"},
      head_dim_option(o.head_dim, "Family"),
      {"--converges", &o.converges, "", "Z is finite for every content", "Requirements"},
      {"--entropy", &o.entropy, "R", "entropy over all distances, in nats: '<= 6' or '>= 6'", "Requirements"},
      {"--entropy-at", &o.entropy_at, "R", "entropy of the first L + 1 tokens: '16384 <= 6'", "Requirements"},
      {"--range", &o.range, "R", "local range at a threshold C1: '4 >= 512'", "Requirements"},
      {"--cache", &o.cache, "R",
       "keys with all weight but epsilon, for every content: 4096, 4k, or '1e-3 <= 4096'", "Requirements"},
      {"--reach", &o.reach, "R", "farthest token that some content gives a weight: '1/2 >= 200'",
       "Requirements"},
      {"--minimize", &o.minimize, "Q",
       "a parameter, or entropy, range, cache, reach; name the requirement as in cache=1e-3", "Objective"},
      {"--maximize", &o.maximize, "Q", "the same", "Objective", Excludes{"--minimize"}},
      {"--gap", &o.gap, "G", "stop when the best is proved to within this relative gap (default 1e-6)",
       "Objective"},
      {"--time-limit", &o.time_limit, "S", "seconds of CPU time (default 60)", "Objective",
       Numbers{0.001, 1e6}},
      {"--encoding", &o.encoding, "FILE.toml", "write the encoding found there", "Output", OutputFile{}},
      {"--certificate", &o.certificate, "FILE.json", "write the proof there, for verify-certificate",
       "Output", OutputFile{}},
      format_option(o.format, "Output"),
      output_option(o.output, "Output")};
}

std::vector<FreeParameter> free_parameters(const theory::Encoding& encoding, const Options& o) {
  std::vector<FreeParameter> result;
  for (const std::string& text : o.vary) {
    const VariedParameter one = vary_option("--vary", text);
    if (!one.encoding.empty() && one.encoding != encoding.name)
      throw theory::SpecError("--vary " + text + ": the family is " + encoding.name);
    if (std::ranges::find(result, one.name, &FreeParameter::name) != result.end())
      throw theory::SpecError("--vary " + one.name + ": given twice");
    result.push_back({one.name, one.low, one.high});
  }
  if (result.empty()) {
    const auto ranges = o.family == "-" ? std::vector<std::pair<std::string, theory::ParameterRange>>()
                                        : theory::parameter_ranges(theory::read_text_file(encoding.source));
    for (const theory::Parameter& one : encoding.parameters) {
      const auto at = std::ranges::find(ranges, one.name, [](const auto& known) { return known.first; });
      if (at != ranges.end()) result.push_back({one.name, at->second.first, at->second.second});
    }
  }
  if (result.empty())
    throw theory::SpecError("no free parameter; expected --vary NAME=LOW..HIGH, or a range in the file");
  for (FreeParameter& one : result) {
    require_parameter("--vary", "", one.name, {GivenEncoding({o.family, encoding.name}, encoding)});
    if (is_whole(encoding, one.name)) {
      one.low = one.low.ceil();
      one.high = one.high.floor();
    }
    if (one.low > one.high)
      throw theory::SpecError("--vary " + one.name + ": there is no whole number in the interval");
  }
  return result;
}

DesignProblem problem_of(const Options& o, const std::vector<FreeParameter>& free) {
  DesignProblem result;
  if (o.converges)
    result.requirements.push_back(
        {{DesignQuantity::convergence, std::nullopt, ""}, theory::Relation::less, 0});
  const auto add = [&](DesignQuantity quantity, const std::string& option,
                       const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      result.requirements.push_back(requirement_option(quantity, option, text));
  };
  add(DesignQuantity::entropy, "--entropy", o.entropy);
  add(DesignQuantity::entropy, "--entropy-at", o.entropy_at);
  add(DesignQuantity::range, "--range", o.range);
  add(DesignQuantity::cache, "--cache", o.cache);
  add(DesignQuantity::reach, "--reach", o.reach);
  if (!o.minimize.empty() || !o.maximize.empty()) {
    const bool maximize = !o.maximize.empty();
    const std::string option = maximize ? "--maximize" : "--minimize";
    result.objective = {measure_option(option, maximize ? o.maximize : o.minimize, result.requirements),
                        maximize};
    const Measure& measure = result.objective->measure;
    if (measure.quantity == DesignQuantity::parameter &&
        std::ranges::find(free, measure.parameter, &FreeParameter::name) == free.end())
      throw theory::SpecError(option + ": '" + measure.parameter +
                              "' is not a free parameter; expected one, or entropy, range, cache, reach");
  }
  if (result.requirements.empty() && !result.objective)
    throw theory::SpecError("nothing is required; expected --cache, --reach, …, --minimize or --maximize");
  result.gap = number_option("--gap", o.gap);
  if (result.gap < theory::Rational(1, 1000000000000) || result.gap >= theory::Rational(1))
    throw theory::SpecError("--gap: " + o.gap + " is not between 1e-12 and 1");
  return result;
}

// Why there is none; empty where it is written.
std::string write_certificate(const std::string& file, const OrderedFamily& family,
                              const DesignProblem& problem, const Design& result,
                              const theory::Context& context) {
  if (!family.written_out().empty())
    return "the bias is read as " + family.written_out() + "; with this formula in the file there is one";
  const auto written = theory::attempt([&] {
    const std::string text = design_certificate(family, problem, result, context).dump(1) + "\n";
    const Answer answer = ask_verifier(text);
    if (answer.kind != Answer::Kind::proved) throw theory::Undecided(answer.step);
    write_file(file, text);
  });
  return written ? "" : written.reason();
}

int design_encoding(const Options& o) {
  constexpr std::chrono::seconds kEachNumber(10);
  const theory::Context context = ball_context(theory::Budget(kEachNumber, seconds_option(o.time_limit)));
  require_different({{"--encoding", o.encoding}, {"--certificate", o.certificate}, {"--output", o.output}});
  require_even_head_dim(o.head_dim);
  theory::Encoding encoding = theory::with_one_gate_in_bias(find_encoding(o.family, {}));
  const std::vector<FreeParameter> free = free_parameters(encoding, o);
  const DesignProblem problem = problem_of(o, free);
  const theory::Rational bound = number_option("--content-bound", o.content_bound);
  if (bound.sign() < 0)
    throw theory::SpecError("--content-bound: " + bound.str() + " is negative; expected B >= 0");
  const GivenEncoding given({o.family, encoding.name}, encoding);
  std::vector<Assignment> assignments;
  for (const std::string& text : o.set) {
    const Assignment& one = assignments.emplace_back(assignment_option("--set", text));
    require_parameter("--set", one.encoding, one.name, {given});
    if (std::ranges::find(free, one.name, &FreeParameter::name) != free.end())
      throw theory::SpecError("--set " + one.name + ": it is free");
  }
  const std::vector<theory::Override> fixed = overrides_of(given, assignments);
  const theory::Setting setting{o.head_dim, 1, 1, 1, 1};
  const std::string source = encoding.source, name = encoding.name;
  say_each("design-encoding", source,
           require_defined(instantiate(encoding, setting, fixed, context), source, context));
  const auto work = [&]() -> int {
    remove_older(o.certificate);  // the proof of another question
    const OrderedFamily family(std::move(encoding), setting, fixed, free, bound, context);
    const bool reach = std::ranges::any_of(problem.requirements, [](const Requirement& r) {
      return r.measure.quantity == DesignQuantity::reach;
    });
    if (family.encoding().sink &&
        (reach || (problem.objective && problem.objective->measure.quantity == DesignQuantity::reach)))
      throw theory::Undecided("reach with a sink");
    ProgressLine line("design-encoding");
    line.show("boxes", 0);
    const Design result = design(family, problem, context, [&](std::size_t boxes, const Design& now) {
      std::string text = std::to_string(boxes) + " boxes";
      if (now.value && now.bound) {
        char gap[32];
        std::snprintf(gap, sizeof gap, "%.3g", (*now.value - *now.bound).abs().approximate());
        text += ", gap " + std::string(gap);
      }
      line.show(text);
    });
    line.clear();
    if (result.best) require_defined(family.law(*result.best), source, context);
    if (!o.encoding.empty() && result.best)
      write_file(o.encoding, design_toml(family, problem, *result.best));
    write_output(o.output, o.format == "json" ? design_json(family, problem, result)
                                              : design_text(family, problem, result));
    if (!o.certificate.empty() && (result.closed || (result.best && result.bound))) {
      line.show("certificate", 0);
      const std::string missing = write_certificate(o.certificate, family, problem, result, context);
      line.clear();
      // what was found, and proved, stays so
      if (!missing.empty()) say("design-encoding", "no certificate: " + missing);
    }
    if (result.infeasible()) return kRequirementFailed;
    return result.closed ? kDone : kUndecided;
  };
  return theory::attempt(work).or_else([&](const std::string& reason) {
    if (o.format == "json") write_output(o.output, undecided_json(name, free, bound, problem, reason));
    say("design-encoding", "undecided: " + reason);
    return kUndecided;
  });
}

}  // namespace

int run(int argc, char** argv) {
  return program_main(
      {"design-encoding",
       "Parameters of a family of encodings that meet requirements, or a proof that there are none.",
       "Examples:\n"
       "  design-encoding alibi --vary m=1/10000..1 --entropy '>= 6' --maximize m --gap 1e-12\n"
       "  design-encoding kerple-log --vary p=1..4 --vary a=1/100..10 --content-bound 5 \\\n"
       "    --cache '1e-3 <= 4096' --reach '1/2 >= 500' --minimize entropy --encoding mine.toml\n"
       "Exit: 0 found, and proved to be the best within the gap; 3 proved that there is none; 5 undecided at "
       "the "
       "time limit\n      (with the best found and the bound proved); 2 bad use or specification, 1 anything "
       "else."},
      argc, argv, options, design_encoding);
}

}  // namespace gpe::checks::design_encoding_program
