// asymptotics: the limit of an expression in n at infinity and its first terms, from the same engine.
// Tests: tests/cli/asymptotics.cmake
#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/arb/decimal.h"
#include "checks/arb/expr_ball.h"
#include "checks/cli/program.h"
#include "checks/cli/version.h"
#include "checks/halfline/tail_claims.h"
#include "checks/report/json_number.h"
#include "theory/asymptotics/limit.h"
#include "theory/asymptotics/limit_points.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_parse.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"

namespace gpe::checks::asymptotics_program {
namespace {

constexpr int kDigits = 30;
constexpr int kPointDigits = 10;

struct Options {
  std::string expression;
  int terms = 3;
  std::vector<std::string> set;
  std::string format = "text";
  double time_limit = 10;
};

struct Answer {
  std::string kind = "undecided";  // finite, +inf, -inf, undecided
  std::optional<theory::Form> value;
  bool exists = true;  ///< or not known to have no value
  std::string reason;
  std::vector<std::string> terms;
  std::optional<Threshold> valid_from;
};

theory::Expr read_expression(const Options& o) {
  std::vector<Assignment> values;
  theory::NameScope scope;
  scope.names = {"n"};
  for (const std::string& text : o.set) {
    values.push_back(assignment_option("--set", text, {}));
    const std::string& name = values.back().name;
    if (!values.back().encoding.empty()) throw theory::SpecError("--set " + text + ": expected NAME=VALUE");
    if (name == "n") throw theory::SpecError("--set n: n is what tends to infinity; expected another name");
    if (std::ranges::find(scope.names, name) != scope.names.end())
      throw theory::SpecError("--set " + name + ": set twice");
    scope.names.push_back(name);
  }
  try {
    const theory::Expr open = theory::parse_expression(o.expression, scope);
    theory::Expr result = open;
    for (const Assignment& assignment : values) {
      if (!open.mentions(assignment.name))
        throw theory::SpecError("--set " + assignment.name + ": the expression has no '" + assignment.name +
                                "'");
      result = substitute(result, assignment.name, assignment.value);
    }
    return result;
  } catch (const theory::ParseError& error) {
    std::string message = error.what();
    if (message.find("; known here: ") != std::string::npos)
      message += "; --set NAME=VALUE gives a name its value";
    throw theory::error_in_argument("expression", o.expression, error.begin, error.end, message);
  }
}

// "limsup = 9/8"; where it is not exact, between decimals.
std::string point_text(const std::string& what, const theory::LimitBounds& bounds) {
  if (bounds.settled()) return what + " = " + to_text(bounds.low);
  const auto end = [](const theory::Limit& limit) {
    return decimal_ends(evaluate(theory::to_expr(limit.value), {}, 160), kPointDigits);
  };
  return what + " in [" + end(bounds.low).lower + ", " + end(bounds.high).upper + "]";
}

Answer answer(const theory::Expr& e, const Options& o) {
  const theory::Context context = ball_context(theory::Budget(seconds_option(o.time_limit)).question());
  Answer result;
  using theory::NotKnown, theory::Undecided, theory::Undefined, theory::SplitRequest;
  const auto found = theory::attempt<Undecided, Undefined, SplitRequest>([&] {
    theory::LimitBounds bounds = theory::limit(e, context);
    const auto points = bounds.settled() ? std::nullopt : theory::limit_points(e, context);
    if (points && points->low.settled() && points->high.settled())
      bounds = {points->low.low, points->high.low};
    if (bounds.settled()) {
      switch (bounds.low.kind) {
        case theory::Limit::Kind::finite:
          result.kind = "finite";
          result.value = bounds.low.value;
          break;
        case theory::Limit::Kind::plus_infinity:
          result.kind = "+inf";
          break;
        case theory::Limit::Kind::minus_infinity:
          result.kind = "-inf";
          break;
      }
    } else if (points) {
      result.exists = false;
      result.reason = point_text("liminf", points->low) + ", " + point_text("limsup", points->high);
    } else {
      result.reason = "the expression stays between bounds: liminf >= " + to_text(bounds.low) +
                      ", limsup <= " + to_text(bounds.high);
    }
    for (const theory::Expr& term : theory::dominant_terms(e, o.terms, context))
      result.terms.push_back(theory::to_text(term));
    result.valid_from = prove_leading_term(e, context);
  });
  if (found) return result;
  switch (found.why().end) {
    case NotKnown::End::undecided:
    case NotKnown::End::time_up:
      if (result.reason.empty()) result.reason = found.reason();
      break;
    case NotKnown::End::undefined:
      result.kind = "undecided";
      result.reason = "undefined near infinity: " + found.reason();
      break;
    case NotKnown::End::split:
      result.reason = "depends on the sign of " + theory::to_text(found.why().open);
      break;
  }
  return result;
}

std::string as_json(const theory::Expr& e, const Answer& a) {
  Json limit{{"kind", a.kind}, {"value", nullptr}, {"enclosure", nullptr}, {"reason", nullptr}};
  if (a.value) {
    limit["value"] = theory::to_text(*a.value);
    limit["enclosure"] = json_ends(evaluate(theory::to_expr(*a.value), {}, 160), kDigits);
  }
  if (!a.reason.empty()) limit["reason"] = (a.exists ? "" : "there is none: ") + a.reason;
  Json json{{"schema", 1}, {"expression", theory::to_text(e)}, {"limit", limit}, {"terms", a.terms}};
  json["valid_from"] = a.valid_from ? Json(to_text(*a.valid_from)) : Json(nullptr);
  return json_text(json);
}

std::string as_text(const theory::Expr& e, const Answer& a) {
  std::string text = theory::to_text(e) + "\n";
  if (a.value) {
    text += "  limit  " + theory::to_text(*a.value);
    if (a.value->rational() == nullptr)
      text += " = " + proved_decimal(evaluate(theory::to_expr(*a.value), {}, 160), 15).text + "...";
    text += "\n";
  } else {
    text += "  limit  " + (a.exists ? a.kind : "none") + (a.reason.empty() ? "" : ": " + a.reason) + "\n";
  }
  for (std::size_t i = 0; i < a.terms.size(); ++i)
    text += (i == 0 ? "  terms  " : "         ") + a.terms[i] + "\n";
  if (a.valid_from) text += "  the first term exceeds the rest for every " + to_text(*a.valid_from) + "\n";
  if (a.value && !a.reason.empty()) text += "  " + a.reason + "\n";
  return text;
}

int asymptotics(const Options& o) {
  const theory::Expr e = read_expression(o);
  const Answer a = answer(e, o);
  const std::string text = o.format == "json" ? as_json(e, a) : as_text(e, a);
  write_output("", text);
  return kDone;
}

std::vector<Option> options(Options& o) {
  return {{"expression", &o.expression, "EXPR", "an expression in n", "", Required{}},
          {"--terms", &o.terms, "K", "number of terms (default 3)", "", WholeNumbers{1, 50}},
          {"--set", &o.set, "NAME=VALUE", "the value of another name, exactly"},
          format_option(o.format),
          {"--time-limit", &o.time_limit, "S", "seconds (default 10)", "", Numbers{0.001, 1e6}}};
}

}  // namespace

int run(int argc, char** argv) {
  return program_main(
      {.name = "asymptotics",
       .about = "The limit of an expression in n at infinity and its first terms. n runs over the integers.",
       .footer = "Example:\n  asymptotics 'n - sqrt(n^2 + 3*n*log(n))' --terms 2",
       .minus_begins_argument = true},
      argc, argv, options, asymptotics);
}

}  // namespace gpe::checks::asymptotics_program
