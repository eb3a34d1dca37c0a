// The statements of the claim language that are not comparisons.
// Tests: tests/checks/audit/audit_formula_test.cpp
#include <algorithm>
#include <functional>
#include <map>

#include "checks/arb/precision.h"
#include "checks/audit/evaluate.h"
#include "checks/audit/quantity.h"
#include "checks/sums/sums.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/polynomial.h"
#include "theory/properties/property.h"
#include "theory/properties/temperature.h"
#include "theory/score/defined_at.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Context;
using theory::decided;
using theory::Decision;
using theory::fails;
using theory::holds;
using theory::ScoreFunction;
using theory::Truth;
using theory::Undecided;

namespace {

Decision summable(const ClaimQuantity& q, const AuditScope& scope, const Context& context) {
  const ClaimValue score = value_of(q.terms[0], scope, context, 15);
  if (score.kind != ClaimValue::Kind::expression) throw Undecided(q.text + ": no exact exponent");
  const theory::SumDecision sum = theory::decide_sum(score.expression, context);
  const auto& reading = theory::reading(theory::NormalizationReading::every_content);
  scope.evidence->dependencies.add(
      {scope.subject_of_sum(score.expression), &reading, theory::Expr(1), q.text});
  return decided(sum.converges, "sum of e^(" + theory::to_text(score.expression) + "): " + sum.reason);
}

Decision bounded_above(const ClaimQuantity& q, const AuditScope& scope, const Context& context) {
  const ClaimValue value = value_of(q.terms[0], scope, context, 15);
  if (value.kind != ClaimValue::Kind::expression) throw Undecided(q.text + ": no exact function of n");
  const theory::SupremumBounds bounds = theory::limsup(value.expression, context);
  const std::string text = "limsup " + theory::to_text(value.expression);
  if (bounds.high.kind != theory::Limit::Kind::plus_infinity)
    return holds(text + " <= " + to_text(bounds.high));
  if (bounds.low.kind == theory::Limit::Kind::plus_infinity) return fails(text + " = +inf");
  throw Undecided(text + " is not settled");
}

Decision defined(const ClaimQuantity& q, const AuditScope& scope, const Context& context) {
  const auto value =
      theory::attempt<theory::Undefined>([&] { return value_of(q.terms[0], scope, context, 15); });
  std::optional<std::string> trouble;
  if (!value) {
    trouble = value.reason();
  } else if (value->kind == ClaimValue::Kind::enclosed && !value->ball.is_finite()) {
    throw Undecided(q.text + ": no enclosure");
  } else if (value->kind == ClaimValue::Kind::expression && !is_polynomial(value->expression)) {
    const std::vector<std::string> open = free_symbols(value->expression);
    if (!open.empty()) throw NeedsValues(q.text + " needs a value of " + open.front());
    trouble = theory::why_undefined(value->expression, context);
  }
  if (!trouble && value->kind != ClaimValue::Kind::absent)
    return holds(q.terms[0].text + " = " + to_text(*value));
  scope.evidence->ill_posed = q.terms[0].text + (trouble ? ": " + *trouble : " does not exist");
  if (trouble) scope.evidence->dependencies.add(q.text);
  return fails(scope.evidence->ill_posed);
}

// Scores T x with a temperature T that depends on the number of keys, written n.
Decision disperses(theory::ScoreLaw law, const ClaimQuantity& q, const AuditScope& scope,
                   const Context& context) {
  const ClaimValue temperature = value_of(q.terms[0], scope, context, 15);
  const ClaimValue parameter = value_of(q.terms[1], scope, context, 15);
  if (temperature.kind != ClaimValue::Kind::expression || parameter.kind != ClaimValue::Kind::expression)
    throw Undecided(q.text + ": no exact function of n");
  return theory::decide_dispersion(law, temperature.expression, parameter.expression, context);
}

// A(n) = f(n) (qᵀ W(n) k) + b(n) with f, W and b functions of n alone, b real, and weights e^A/Z.
Decision fits(const ClaimQuantity& q, const AuditScope& scope) {
  const ScoreFunction law = scope.law_of(*q.encoding);
  std::vector<std::string> beyond;
  if (law.depends_on_length()) beyond.emplace_back("it depends on the length (E2)");
  if (law.sink) beyond.emplace_back("its normalizer has extra mass (E4)");
  if (law.window || law.window_size) beyond.emplace_back("its window is a bias of -infinity (E6)");
  if (law.softcap) beyond.emplace_back("its soft cap is not linear in the content");
  if (beyond.empty()) return holds(law.name + " has the form");
  std::string reason = law.name + ": ";
  for (const std::string& one : beyond) reason += (&one == beyond.data() ? "" : ", ") + one;
  return fails(reason);
}

Decision agree(const ClaimQuantity& q, const AuditScope& scope, const Context& context) {
  const ClaimValue wanted = value_of(q.terms[2], scope, context, 15);
  const auto whole =
      wanted.expression.number() == nullptr ? std::nullopt : wanted.expression.number()->to_int64();
  if (!whole || *whole < 1 || *whole > 1000) throw Undecided(q.text + ": expected 1 to 1000 digits");
  const int digits = static_cast<int>(*whole);
  const long bits = working_bits(digits + 10);
  const ClaimValue a = value_of(q.terms[0], scope, context, digits + 5);
  const ClaimValue b = value_of(q.terms[1], scope, context, digits + 5);
  const Ball difference = abs(sub(enclosure(a, bits), enclosure(b, bits), bits));
  const Ball allowed = mul(abs(enclosure(b, bits)), Ball(theory::Rational(10).pow(-digits), bits), bits);
  const std::string text = q.terms[0].text + " = " + to_text(a) + ", " + q.terms[1].text + " = " + to_text(b);
  if (sub(allowed, difference, bits).surely_nonnegative())
    return holds(text + ": the same to " + std::to_string(digits) + " digits");
  if (allowed.surely_less(difference)) return fails(text);
  throw Undecided(text + ": too few digits");
}

// "alpha <- entropy": alpha is computed from entropy.
Decision acyclic(const ClaimQuantity& q, const AuditScope& scope) {
  std::map<std::string, std::vector<std::string>> needs;
  for (const std::string& word : q.words) {
    const std::size_t arrow = word.find("<-");
    if (arrow == std::string::npos)
      throw theory::SpecError(q.text + ": expected NAME <- NAME, found '" + word + "'");
    const auto trim = [](std::string text) {
      std::erase(text, ' ');
      return text;
    };
    needs[trim(word.substr(0, arrow))].push_back(trim(word.substr(arrow + 2)));
  }
  std::vector<std::string> path;
  std::vector<std::string> done;
  const std::function<bool(const std::string&)> cycle = [&](const std::string& name) {
    if (const auto at = std::ranges::find(path, name); at != path.end()) {
      path.erase(path.begin(), at);
      path.push_back(name);
      return true;
    }
    if (std::ranges::find(done, name) != done.end()) return false;
    path.push_back(name);
    for (const std::string& next : needs[name]) {
      if (cycle(next)) return true;
    }
    path.pop_back();
    done.push_back(name);
    return false;
  };
  std::vector<std::string> names;
  for (const auto& [name, next] : needs) names.push_back(name);
  if (std::ranges::none_of(names, cycle)) return holds("each is computed from earlier ones");
  scope.evidence->ill_posed = "circular: " + theory::joined(path, " needs ");
  return fails(scope.evidence->ill_posed);
}

}  // namespace

Decision evaluate_predicate(const ClaimQuantity& q, const AuditScope& scope, const Context& context) {
  if (q.name == "summable") return summable(q, scope, context);
  if (q.name == "defined") return defined(q, scope, context);
  if (q.name == "agree") return agree(q, scope, context);
  scope.evidence->dependencies.add(q.text);
  static const std::map<std::string, theory::ScoreLaw, std::less<>> laws = {
      {"disperses_gaussian", theory::ScoreLaw::gaussian},
      {"disperses_edge", theory::ScoreLaw::edge},
      {"disperses_exponential", theory::ScoreLaw::exponential},
      {"disperses_worst", theory::ScoreLaw::worst},
      {"disperses_one_above", theory::ScoreLaw::one_above}};
  if (const auto law = laws.find(q.name); law != laws.end()) return disperses(law->second, q, scope, context);
  if (q.name == "bounded_above") return bounded_above(q, scope, context);
  if (q.name == "fits") return fits(q, scope);
  return acyclic(q, scope);
}

}  // namespace gpe::checks
