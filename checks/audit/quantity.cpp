#include "checks/audit/quantity.h"
// Tests: tests/checks/audit/audit_formula_test.cpp
#include <algorithm>

#include "checks/arb/decimal.h"
#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/audit/measured_results.h"
#include "checks/audit/paired_mean.h"
#include "checks/content/effective_window.h"
#include "checks/content/entropy_band.h"
#include "checks/content/local_range.h"
#include "checks/content/sphere.h"
#include "checks/halfline/or_undecided.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/growth.h"
#include "theory/score/sphere_law.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;
using theory::ScoreFunction;
using theory::Undecided;

void require_closed(const ScoreFunction& law, const std::string& what) {
  std::vector<Expr> parts = {law.bias, law.gain, law.norm, law.rotation.angle, law.rotation.scale};
  for (const std::optional<Expr>& part : {law.softcap, law.sink, law.window_size}) {
    if (part) parts.push_back(*part);
  }
  for (const Expr& part : parts) {
    for (const std::string& name : free_symbols(part)) {
      if (name != "n" && name != "L" && name != "j") throw NeedsValues(what + " needs a value of " + name);
    }
  }
}

Ball enclosure(const ClaimValue& value, long bits) {
  if (value.kind == ClaimValue::Kind::enclosed) return value.ball;
  const std::vector<std::string> open = free_symbols(value.expression);
  if (!open.empty()) throw NeedsValues("a comparison of numbers needs a value of " + open.front());
  try {
    return evaluate(value.expression, {}, bits);
  } catch (const theory::EvaluationError& error) {
    throw Undecided(error.what());
  }
}

namespace {

// Proved digits; both ends of an interval that is wide, as measured ones are.
std::string number_text(const Ball& value, int digits) {
  constexpr int kNarrow = 3;
  const Decimal decimal = proved_decimal(value, digits);
  if (decimal.digits >= kNarrow || value.is_exact() || !value.is_finite()) return decimal.text;
  const DecimalEnds ends = decimal_ends(value, kNarrow + 2);
  return "[" + ends.lower + ", " + ends.upper + "]";
}

constexpr std::int64_t kShortBits = 12;  // of a fraction that is shown as it is

bool may_be_shown_exactly(const ClaimValue& value) {
  const auto ends =
      theory::attempt<Undecided>([&] { return enclosure(value, 64).ends(); }).value_or(std::nullopt);
  return !ends || simplest_between(ends->low, ends->high).denominator().bits() <= kShortBits;
}

}  // namespace

std::string to_text(const ClaimValue& value, int digits) {
  switch (value.kind) {
    case ClaimValue::Kind::plus_infinity:
      return "infinite";
    case ClaimValue::Kind::minus_infinity:
      return "-infinite";
    case ClaimValue::Kind::absent:
      return "none";
    case ClaimValue::Kind::enclosed:
      return number_text(value.ball, digits);
    case ClaimValue::Kind::expression:
      break;
  }
  if (!free_symbols(value.expression).empty()) return theory::to_text(value.expression);
  if (!may_be_shown_exactly(value)) return number_text(enclosure(value, 256), digits);
  Expr closed = value.expression;
  try {
    closed = simplify(closed, Context(theory::NoOracle()));
  } catch (const std::runtime_error&) {  // shown by its digits
  }
  const Rational* number = closed.number();
  if (number != nullptr && (number->is_integer() || number->bits() <= kShortBits)) return number->str();
  return number_text(enclosure(value, 256), digits);
}

namespace {

using Kind = ClaimValue::Kind;

ClaimValue of(const EnclosedNumber& number) {
  if (number.finite == Finite::no) return {Kind::plus_infinity, Expr(0), {}};
  if (number.finite == Finite::unknown) throw Undecided(number.reason);
  if (!number.value.is_finite()) throw Undecided("no enclosure: " + number.reason);
  return ClaimValue::enclosed(number.value);
}

ClaimValue of(const BigCount& count) {
  switch (count.kind) {
    case BigCount::Kind::none:
      return {};
    case BigCount::Kind::number:
      return ClaimValue::exact(Expr(count.number));
    case BigCount::Kind::unbounded:
      return {Kind::plus_infinity, Expr(0), {}};
    case BigCount::Kind::log10:
      throw Undecided("a count beyond 10^30: 10^" + count.log10);
    case BigCount::Kind::unknown:
      break;
  }
  throw Undecided(count.reason);
}

ClaimValue of(const theory::Limit& limit) {
  if (limit.kind == theory::Limit::Kind::finite) return ClaimValue::exact(to_expr(limit.value));
  return {limit.kind == theory::Limit::Kind::plus_infinity ? Kind::plus_infinity : Kind::minus_infinity,
          Expr(0),
          {}};
}

// One quantity at work: its arguments, and what they are needed for.
class Computation {
 public:
  Computation(const ClaimQuantity& quantity, const AuditScope& scope, const Context& context, int digits)
      : q_(quantity), scope_(scope), context_(context), digits_(digits) {}

  /// Whether docs/certificates.md has a rule for the number that value() gave.
  bool has_certificate() const { return certified_; }

  ClaimValue value() {
    if (q_.name == "measured") return ClaimValue::enclosed(measured(scope_.options().results, q_.words));
    if (q_.name == "paired") return ClaimValue::enclosed(paired(scope_.options().results, q_.terms.front()));
    if (q_.name == "parameter") return ClaimValue::exact(scope_.parameter_of(*q_.encoding, q_.words.front()));
    return q_.encoding ? of_law(scope_.law_of(*q_.encoding)) : of_numbers();
  }

 private:
  bool is(std::string_view name) const { return q_.name == name; }
  bool has(std::size_t i) const { return i < q_.terms.size(); }

  Expr expression(std::size_t i) const {
    const ClaimValue value = value_of(q_.terms[i], scope_, context_, digits_);
    if (value.kind != Kind::expression)
      throw Undecided(q_.text + ": " + q_.terms[i].text + " is " + to_text(value) +
                      ", expected an exact expression");
    return value.expression;
  }
  Rational rational(std::size_t i) const {
    const Expr value = expression(i);
    if (!free_symbols(value).empty())
      throw NeedsValues(q_.text + " needs a value of " + free_symbols(value).front());
    const theory::Form form = to_form(value, context_);
    if (form.rational() == nullptr)
      throw Undecided(q_.text + ": " + q_.terms[i].text + " is not a rational number");
    return *form.rational();
  }
  std::int64_t whole(std::size_t i) const {
    const auto result = rational(i).to_int64();
    if (!result) throw Undecided(q_.text + ": " + q_.terms[i].text + " is not a whole number of 64 bits");
    return *result;
  }

  ClaimValue paired_runs() const {
    ClaimTerm term = q_.terms.front();
    term.skeleton = scope_.with_numbers(term.skeleton);
    return ClaimValue::enclosed(paired(scope_.options().results, term));
  }

  // The function of n, or its value at the second argument.
  ClaimValue function(const Expr& f) const {
    return ClaimValue::exact(has(0) ? substitute(f, theory::kIndex, expression(0)) : f);
  }

  ClaimValue of_law(const ScoreFunction& law) {
    if (is("bias")) return function(law.bias);
    if (is("gain")) return function(law.gain);
    if (is("norm")) return function(law.norm);
    if (is("var")) return function_at(sphere_variance(law, has(1) ? expression(1) : Expr(1)));
    if (is("literal") && starts_at_zero(law) && has_positive_threshold()) return absent_range(law);
    if (is("growth")) return growth(law);
    require_closed(law, q_.text);
    if (is("Z") || is("H") || is("mean")) {
      if (!is("mean") && !has(0)) note_number();
      return sums(law);
    }
    if (is("Zleast")) return sum_of(score_below(law, expression(0)), law);
    if (is("Zmost")) return sum_of(score_above(law, expression(0)), law);
    if (is("Hleast") || is("Hmost")) {
      const auto length = has(1) ? std::optional(rational(1)) : std::nullopt;
      const EntropyBand band = entropy_band(law, rational(0), length, digits_, scope_.context());
      return of(is("Hleast") ? band.lower : band.upper);
    }
    if (is("P")) {
      const Rational scale = has(2) ? rational(2) : Rational(1);
      return ClaimValue::enclosed(probability_at_least(law, scale, rational(0), rational(1),
                                                       working_bits(digits_), scope_.context()));
    }
    note_number();
    if (is("within") || is("literal")) {
      const LocalRange range = local_range(law, rational(0), scope_.context());
      return of(is("within") ? range.within : range.literal);
    }
    if (is("window")) {  // no window is enough: larger than all
      const BigCount window = effective_window(law, rational(0), rational(1), std::nullopt, scope_.context());
      return window.kind == BigCount::Kind::none ? ClaimValue{Kind::plus_infinity, Expr(0), {}} : of(window);
    }
    const Reach both = reach(law, rational(0), rational(1), std::nullopt, scope_.context());
    return of(is("reach") ? both.n : both.self_reach);
  }

  ClaimValue absent_range(const ScoreFunction& law) {
    try {
      require_closed(law, q_.text);
      note_number();
    } catch (const NeedsValues&) {  // it is absent whatever is left open
    }
    return {};
  }

  void note_number() {
    certified_ = true;
    std::vector<Rational> arguments;
    for (std::size_t i = 0; i < q_.terms.size(); ++i) arguments.push_back(rational(i));
    scope_.evidence->dependencies.add(
        UsedNumber{scope_.subject_of(*q_.encoding), q_.name, std::move(arguments), q_.text, digits_});
  }

  ClaimValue function_at(const Expr& f) const {
    return ClaimValue::exact(substitute(f, theory::kIndex, expression(0)));
  }

  bool has_positive_threshold() const { return context_.known_sign(to_form(expression(0), context_)) == 1; }

  // b(first) = 0 whatever is left open: |b| >= C1 > 0 fails at the first distance.
  bool starts_at_zero(const ScoreFunction& law) const {
    return to_form(substitute(law.bias, theory::kIndex, Expr(law.first)), context_).is_zero();
  }

  ClaimValue growth(const ScoreFunction& law) const {
    require_closed(law, q_.text);
    const theory::GrowthLaws laws = theory::growth_laws(law, context_);
    if (!laws.entropy) throw Undecided("no growth law of the entropy for " + theory::to_text(law.bias));
    return ClaimValue::exact(substitute(*laws.entropy, theory::kLength, Expr::symbol(theory::kIndex)));
  }

  // Σ e^score, of all distances of a law or of first … L.
  ClaimValue sum_of(const Expr& score, const ScoreFunction& distances) const {
    ScoreFunction law;
    law.bias = score;
    law.has_content = false;
    law.first = distances.first;
    law.window = distances.window;
    law.two_sided = distances.two_sided;
    if (!has(1)) return of(enclose_sums(law, digits_, scope_.context()).z);
    const PartialSum part = enclose_partial_sum(law, rational(1), digits_, scope_.context());
    if (!part.reason.empty() && !part.z.is_finite()) throw Undecided(part.reason);
    return ClaimValue::enclosed(part.z);
  }

  ClaimValue sums(const ScoreFunction& law) const {
    if (!has(0)) {
      const Sums all = enclose_sums(law, digits_, scope_.context());
      if (is("Z")) return of(all.z);
      return of(is("H") ? all.entropy : all.mean_distance);
    }
    const PartialSum part = enclose_partial_sum(law, rational(0), digits_, scope_.context());
    if (!part.reason.empty() && !part.z.is_finite()) throw Undecided(part.reason);
    if (is("Z")) return ClaimValue::enclosed(part.z);
    return ClaimValue::enclosed(is("H") ? part.entropy : part.mean_distance);
  }

  ClaimValue of_numbers() {
    if (is("limit")) {
      const theory::LimitBounds bounds = theory::limit(expression(0), context_);
      if (!bounds.settled()) throw Undecided("the limit of " + q_.terms[0].text + " is not settled");
      return of(bounds.low);
    }
    if (is("limsup")) {
      const theory::SupremumBounds bounds = theory::limsup(expression(0), context_);
      if (compare(bounds.low, bounds.high, context_) != 0)
        throw Undecided("limsup " + q_.terms[0].text + " is not settled");
      return of(bounds.low);
    }
    if (is("sphere_tail")) {
      const Ball at = enclosure(ClaimValue::exact(expression(0)), working_bits(digits_));
      if (whole(1) < 2) throw Undecided(q_.text + ": expected a sphere in at least 2 dimensions");
      return ClaimValue::enclosed(sphere_tail(at, whole(1), working_bits(digits_)));
    }
    if (is("sphere_moment")) return sphere_moment();
    const std::int64_t from = whole(0);
    const std::int64_t k = whole(1);
    if (k < 0 || from < k || from - k > 100000)
      throw Undecided(q_.text + ": expected 0 <= k <= n, n - k <= 100000");
    Rational result(1);
    for (std::int64_t i = 1; i <= from - k; ++i) result *= Rational(k + i, i);
    return ClaimValue::exact(Expr(result));
  }

  // E x^k = Π (2i - 1)/(d + 2i - 2) over i = 1 … k/2, also with d left open.
  ClaimValue sphere_moment() const {
    const std::int64_t k = whole(0);
    if (k < 0 || k > 1000) throw Undecided(q_.text + ": expected 0 <= k <= 1000");
    const Expr d = expression(1);
    if (free_symbols(d).empty()) {
      if (whole(1) < 1) throw Undecided(q_.text + ": expected a sphere in at least 1 dimension");
      return ClaimValue::exact(Expr(k % 2 != 0 ? Rational(0) : theory::sphere_moment(whole(1), k / 2)));
    }
    Expr result(k % 2 == 0 ? 1 : 0);
    for (std::int64_t i = 1; i <= k / 2; ++i) result = result * Expr(2 * i - 1) / (d + Expr(2 * i - 2));
    return ClaimValue::exact(result);
  }

  const ClaimQuantity& q_;
  const AuditScope& scope_;
  const Context& context_;
  int digits_;
  bool certified_ = false;
};

}  // namespace

bool is_formula(const ClaimQuantity& quantity) {
  const std::vector<std::string> formulas = {"bias",      "gain",          "norm",  "var",
                                             "parameter", "sphere_moment", "choose"};
  return std::ranges::find(formulas, quantity.name) != formulas.end();
}

ClaimValue value_of(const ClaimQuantity& quantity, const AuditScope& scope, const Context& context,
                    int digits) {
  Computation computation(quantity, scope, context, digits);
  ClaimValue result = computation.value();
  const bool function = result.kind == Kind::expression && result.expression.mentions(theory::kIndex);
  if (function) return result;
  scope.evidence->note(quantity.text, to_text(result));
  if (!computation.has_certificate() && !is_formula(quantity))
    scope.evidence->dependencies.add(quantity.text);
  return result;
}

ClaimValue value_of(const ClaimTerm& term, const AuditScope& scope, const Context& context, int digits) {
  if (term.single() != nullptr) return value_of(*term.single(), scope, context, digits);
  Expr skeleton = scope.with_numbers(term.skeleton);
  std::map<std::string, Ball> balls;
  for (std::size_t i = 0; i < term.quantities.size(); ++i) {
    const ClaimValue value = value_of(term.quantities[i], scope, context, digits);
    if (!value.is_number())
      throw Undecided(term.text + ": " + term.quantities[i].text + " is " + to_text(value));
    const std::string name = std::string(kQuantity) + std::to_string(i);
    if (value.kind == Kind::expression) {
      skeleton = substitute(skeleton, name, value.expression);
    } else {
      balls.emplace(name, value.ball);
    }
  }
  if (balls.empty()) return ClaimValue::exact(skeleton);
  for (const std::string& name : free_symbols(skeleton)) {
    if (!balls.contains(name)) throw NeedsValues(term.text + " needs a value of " + name);
  }
  try {
    return ClaimValue::enclosed(evaluate(skeleton, balls, working_bits(digits)));
  } catch (const theory::EvaluationError& error) {
    throw Undecided(error.what());
  }
}

}  // namespace gpe::checks
