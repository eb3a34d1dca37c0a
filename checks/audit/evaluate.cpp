#include "checks/audit/evaluate.h"
// Tests: tests/checks/audit/audit_formula_test.cpp, tests/checks/audit/audit_flips_test.cpp
#include <algorithm>

#include "checks/arb/precision.h"
#include "checks/audit/order_by_bias.h"
#include "checks/audit/quantity.h"
#include "checks/sums/sums.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/product_to_sum.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Context;
using theory::Decision;
using theory::Relation;
using theory::Truth;
using theory::Undecided;

namespace {

constexpr int kFirstDigits = 15;
constexpr int kLastDigits = 60;
constexpr long kWideBits =
    30;  // an enclosure with fewer is one of something measured, which digits do not narrow

Truth opposite(Truth truth) {
  if (truth == Truth::undecided) return truth;
  return truth == Truth::holds ? Truth::fails : Truth::holds;
}

// One part with the deciding truth settles it, whatever the others.
Decision settle(const Formula& formula, Truth deciding, const AuditScope& scope, const Context& context) {
  Decision result{opposite(deciding), ""};
  for (const Formula& part : formula.parts) {
    const Decision one = or_undecided_truth(part, scope, context);
    if (one.truth == deciding) return one;
    if (one.truth == Truth::undecided && result.truth != Truth::undecided) result = one;
    if (result.truth != Truth::undecided && result.reason.find(one.reason) == std::string::npos)
      result.reason += (result.reason.empty() ? "" : "; ") + one.reason;
  }
  if (result.truth == Truth::undecided) throw Undecided(result.reason);
  return result;
}

Decision implication(const Formula& formula, const AuditScope& scope, const Context& context) {
  scope.evidence->has_hypothesis = true;
  const Decision hypothesis = or_undecided_truth(formula.parts[0], scope, context);
  if (hypothesis.truth == Truth::fails) return {Truth::holds, "the hypothesis fails: " + hypothesis.reason};
  scope.evidence->hypothesis_held = true;
  const Decision conclusion = or_undecided_truth(formula.parts[1], scope, context);
  if (conclusion.truth == Truth::holds) return conclusion;
  if (hypothesis.truth == Truth::undecided) throw Undecided(hypothesis.reason);
  if (conclusion.truth == Truth::undecided) throw Undecided(conclusion.reason);
  return {Truth::fails, hypothesis.reason + "; but " + conclusion.reason};
}

Decision property(const Formula& formula, const AuditScope& scope, const Context& context) {
  const ClaimQuantity& q = formula.quantity;
  theory::Property which = theory::Property::convergent_normalization;
  for (const theory::Reading& reading : theory::readings()) {
    if (theory::short_name_of(reading.property) == q.name) which = reading.property;
  }
  theory::Expr bound(1);
  if (!q.terms.empty()) {
    const ClaimValue value = value_of(q.terms[0], scope, context, kFirstDigits);
    if (value.kind != ClaimValue::Kind::expression)
      throw Undecided(formula.text + ": the content bound " + q.terms[0].text + " is " + to_text(value));
    bound = value.expression;
  }
  const theory::ScoreFunction law = scope.law_of(*q.encoding);
  const Decision decision = decide(*theory::find_reading(which, q.words.front()), law, bound, context);
  if (decision.truth == Truth::undecided) throw Undecided(decision.reason);
  scope.evidence->dependencies.add(
      {scope.subject_of(*q.encoding), theory::find_reading(which, q.words.front()), bound, formula.text});
  return decision;
}

int rank(const ClaimValue& value) {  // of values on both sides of all numbers
  switch (value.kind) {
    case ClaimValue::Kind::absent:
      return -2;
    case ClaimValue::Kind::minus_infinity:
      return -1;
    case ClaimValue::Kind::plus_infinity:
      return 1;
    default:
      return 0;
  }
}

// The sides that are not written as numbers, with their values.
Decision compared(const Formula& formula, const ClaimValue& a, const ClaimValue& b, int sign,
                  Evidence& evidence) {
  const bool holds = satisfies(formula.relation, sign);
  constexpr int kPlain = 10;
  constexpr int kMax = 40;
  int digits = kPlain;  // as many as tell the numbers apart
  while (sign != 0 && digits < kMax && to_text(a, digits) == to_text(b, digits)) digits += 5;
  std::string text;
  const auto add = [&](const ClaimTerm& term, const ClaimValue& value) {
    const bool folded = term.skeleton.number() != nullptr && !term.skeleton.number()->is_integer();
    const std::string shown =
        to_text(folded ? ClaimValue::enclosed(enclosure(value, working_bits(digits))) : value, digits);
    if (digits > kPlain) evidence.rewrite(term.text, shown);
    constexpr std::size_t kLong = 24;
    if (shown == term.text || shown.size() > kLong || theory::Rational::parse(term.text)) return;
    if (!text.empty()) text += ", ";
    text += term.text;
    text += " = " + shown;
  };
  add(formula.terms[0], a);
  add(formula.terms[1], b);
  if (text.empty()) text = formula.text + (holds ? "" : " is false");
  return {holds ? Truth::holds : Truth::fails, text};
}

Decision compare_exactly(const Formula& formula, const ClaimValue& a, const ClaimValue& b,
                         const AuditScope& scope, const Context& context) {
  const theory::Expr difference = a.expression - b.expression;
  if (difference.mentions(theory::kIndex))
    throw theory::SpecError("'" + formula.text +
                            "' compares functions of n; use limit(…), or a second argument of bias(…)");
  const theory::Form form = to_form(difference, context);
  const int sign = cancels(form) ? 0 : context.sign(form);
  return compared(formula, a, b, sign, *scope.evidence);
}

Decision compare_values(const Formula& formula, const AuditScope& scope, const Context& context) {
  for (int digits = kFirstDigits;; digits *= 2) {
    const ClaimValue a = value_of(formula.terms[0], scope, context, digits);
    const ClaimValue b = value_of(formula.terms[1], scope, context, digits);
    const bool absent = a.kind == ClaimValue::Kind::absent || b.kind == ClaimValue::Kind::absent;
    (absent ? scope.evidence->absent_compared : scope.evidence->present_compared) = true;
    if (rank(a) != 0 || rank(b) != 0) {
      const int sign = int{rank(a) > rank(b)} - int{rank(a) < rank(b)};
      return compared(formula, a, b, sign, *scope.evidence);
    }
    const bool exact = a.kind == ClaimValue::Kind::expression && b.kind == ClaimValue::Kind::expression;
    if (exact && (!free_symbols(a.expression).empty() || !free_symbols(b.expression).empty()))
      return compare_exactly(formula, a, b, scope, context);
    const Ball left = enclosure(a, working_bits(digits));
    const Ball right = enclosure(b, working_bits(digits));
    if (!left.is_finite() || !right.is_finite()) throw Undecided(formula.text + ": not enclosed");
    if (sub(left, right, working_bits(digits)).surely_zero())
      return compared(formula, a, b, 0, *scope.evidence);
    if (left.surely_less(right)) return compared(formula, a, b, -1, *scope.evidence);
    if (right.surely_less(left)) return compared(formula, a, b, 1, *scope.evidence);
    if (exact) return compare_exactly(formula, a, b, scope, context);
    if (digits >= kLastDigits && std::min(left.relative_bits(), right.relative_bits()) < kWideBits)
      throw Undecided(formula.text + ": the intervals overlap: " + to_text(a) + " and " + to_text(b));
    if (digits >= kLastDigits)
      throw Undecided(formula.text + ": equal as far as " + std::to_string(digits) + " digits tell");
  }
}

Decision comparison(const Formula& formula, const AuditScope& scope, const Context& context) {
  const ClaimQuantity* left = formula.terms[0].single();
  const ClaimQuantity* right = formula.terms[1].single();
  const bool arithmetic = std::ranges::all_of(
      formula.terms, [](const ClaimTerm& term) { return std::ranges::all_of(term.quantities, is_formula); });
  try {
    const Decision decision = compare_values(formula, scope, context);
    if (arithmetic) scope.evidence->dependencies.add(formula.text);
    return decision;
  } catch (const NeedsValues&) {
    // for all values at once only by a theorem about the order of such numbers
    if (left != nullptr && right != nullptr) {
      if (const auto decision = order_by_bias(*left, formula.relation, *right, scope, context)) {
        scope.evidence->dependencies.add(formula.text);
        return *decision;
      }
    }
    throw;
  }
}

}  // namespace

Decision or_undecided_truth(const Formula& formula, const AuditScope& scope, const Context& context) {
  return theory::attempt<Undecided, theory::Undefined>(
             [&] { return evaluate_formula(formula, scope, context); })
      .or_else([](const std::string& reason) {
        return Decision{Truth::undecided, reason};
      });
}

Decision evaluate_formula(const Formula& formula, const AuditScope& scope, const Context& context) {
  context.check_time();
  switch (formula.kind) {
    case Formula::Kind::property:
      return property(formula, scope, context);
    case Formula::Kind::predicate:
      return evaluate_predicate(formula.quantity, scope, context);
    case Formula::Kind::comparison:
      return comparison(formula, scope, context);
    case Formula::Kind::negation: {
      const Decision inner = evaluate_formula(formula.parts[0], scope, context);
      return {opposite(inner.truth), inner.reason};
    }
    case Formula::Kind::conjunction:
      return settle(formula, Truth::fails, scope, context);
    case Formula::Kind::disjunction:
      return settle(formula, Truth::holds, scope, context);
    case Formula::Kind::implication:
      return implication(formula, scope, context);
    case Formula::Kind::equivalence: {
      const Decision a = evaluate_formula(formula.parts[0], scope, context);
      const Decision b = evaluate_formula(formula.parts[1], scope, context);
      return {a.truth == b.truth ? Truth::holds : Truth::fails, a.reason + "; " + b.reason};
    }
    case Formula::Kind::for_all:
    case Formula::Kind::for_some: {
      const Quantified result = quantify(formula, scope, context);
      if (result.truth == Truth::undecided) throw Undecided(result.reason);
      if (result.witness) {
        for (const auto& [name, value] : result.witness->point) scope.evidence->note(name, value);
      }
      return {result.truth, result.reason};
    }
    case Formula::Kind::for_which:
      break;
  }
  throw theory::SpecError("'for which' stands outermost only: " + formula.text);
}

}  // namespace gpe::checks
