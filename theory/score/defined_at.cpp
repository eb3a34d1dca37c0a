#include "theory/score/defined_at.h"

#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/table.h"

namespace gpe::theory {

namespace {

// A point: n and L, and the values of the summation variables around the part that is looked at.
class Point {
 public:
  Point(const Rational& n, const std::optional<Rational>& length, const Context& context)
      : context_(context) {
    bind(kIndex, n);
    if (length) bind(kLength, *length);
  }

  /// Why an expression has no value here; nothing when it has one. Looks into the parts first, so that the
  /// smallest part at fault is named, as it is written; only the branch of a condition that is taken is
  /// looked at.
  std::optional<std::string> trouble_in(const Expr& e) {
    if (const auto* branch = e.as<node::If>()) {
      if (auto inner = trouble_in(branch->left)) return inner;
      if (auto inner = trouble_in(branch->right)) return inner;
      return trouble_in(is_taken(*branch) ? branch->then : branch->otherwise);
    }
    if (const auto* sum = e.as<node::Sum>()) return trouble_in_sum(*sum, e);
    for (const Expr& part : children(e)) {
      if (auto inner = trouble_in(part)) return inner;
    }
    if (const auto* power = e.as<node::Pow>()) return trouble_of(*power, e);
    if (const auto* call = e.as<node::Call>(); call != nullptr && call->function == Function::log) {
      const int sign = context_.sign(value(call->arguments.front()));
      if (sign == 0) return to_text(e) + " is the logarithm of zero";
      if (sign < 0) return to_text(e) + " is the logarithm of a negative number";
    }
    if (const auto* call = e.as<node::Call>();
        call != nullptr && (call->function == Function::lgamma || call->function == Function::polygamma)) {
      if (context_.sign(value(call->arguments.back())) <= 0)
        return to_text(e) + " has an argument that is not positive";
    }
    if (const auto* at = e.as<node::TableAt>()) return trouble_of(*at);
    return std::nullopt;
  }

 private:
  void bind(const std::string& name, const Rational& number) { bindings_.emplace_back(name, Expr(number)); }

  // H(n) counts as 1: it has a positive value whenever the bias has one.
  Form value(const Expr& e) const {
    Expr here = e;
    for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding)
      here = substitute(here, binding->first, binding->second);
    here = rewrite(here,
                   [](const Expr& part) { return part.as<node::CutEntropy>() == nullptr ? part : Expr(1); });
    return to_form(here, context_);
  }

  // The integer that a value is; nothing where it is none. @throws Undecided  where that is open
  std::optional<Rational> integer(const Form& value) const {
    if (const Rational* number = value.rational())
      return number->is_integer() ? std::optional(*number) : std::nullopt;
    const Form whole = to_form(call(Function::floor, {to_expr(value)}), context_);
    if (context_.sign(value - whole) != 0) return std::nullopt;
    if (whole.rational() == nullptr) throw Undecided("it is " + to_text(whole));
    return *whole.rational();
  }

  bool is_taken(const node::If& branch) const {
    const Expr difference = to_expr(value(branch.left) - value(branch.right));
    return to_form(theory::branch(branch.relation, difference, Expr(0), Expr(1), Expr(0)), context_)
        .is_rational(1);
  }

  std::optional<std::string> trouble_of(const node::Pow& power, const Expr& e) const {
    if (const Rational* exponent = power.exponent.number();
        exponent != nullptr && exponent->is_integer() && exponent->sign() > 0)
      return std::nullopt;
    const int base = context_.sign(value(power.base));
    if (base > 0) return std::nullopt;
    const Form exponent = value(power.exponent);
    const bool whole = exponent.rational() != nullptr && exponent.rational()->is_integer();
    if (base == 0 && context_.sign(exponent) < 0) return to_text(e) + " divides by zero";
    if (base == 0 && context_.sign(exponent) == 0) {
      const std::string text = to_text(e);
      return text + (text == "0^0" ? " has no value" : " is 0^0");
    }
    if (base < 0 && !whole) return to_text(e) + " takes a root of a negative number";
    return std::nullopt;
  }

  std::optional<std::string> trouble_of(const node::TableAt& at) const {
    const Form index = value(at.index);
    const auto number = integer(index);
    if (!number) return "the index " + to_text(index) + " of table " + at.table->name + " is not an integer";
    const bool past = *number > Rational(at.table->last_index());
    if (*number < Rational(at.table->first_index) || (past && at.table->beyond == Beyond::error)) {
      return "table " + at.table->name + " has no entry " + number->str();
    }
    return std::nullopt;
  }

  std::optional<std::string> trouble_in_sum(const node::Sum& sum, const Expr& e) {
    for (const Expr& part : {sum.low, sum.high}) {
      if (auto inner = trouble_in(part)) return inner;
    }
    const auto low = integer(value(sum.low)), high = integer(value(sum.high));
    if (!low || !high) {
      return std::string(!low ? "the lower bound " : "the upper bound ") +
             to_text(value(!low ? sum.low : sum.high)) + " of " + to_text(e) + " is not an integer";
    }
    if (*high - *low >= Rational(20000)) return "the sum " + to_text(e) + " has more than 20000 terms";
    for (Rational k = *low; k <= *high; k += Rational(1)) {
      context_.check_time();
      bind(sum.variable, k);
      auto inner = trouble_in(sum.body);
      bindings_.pop_back();
      if (inner) return *inner + " (" + sum.variable + " = " + k.str() + ")";
    }
    return std::nullopt;
  }

  const Context& context_;
  std::vector<std::pair<std::string, Expr>> bindings_;
};

}  // namespace

Attempt<std::optional<std::string>> why_undefined_at(const Expr& function, const Rational& n,
                                                     const std::optional<Rational>& length,
                                                     const Context& context) {
  auto trouble =
      attempt_in_time<Undefined, Undecided>([&] { return Point(n, length, context).trouble_in(function); });
  if (!trouble && trouble.why().end == NotKnown::End::undefined) return std::optional(trouble.reason());
  return trouble;
}

std::optional<std::string> why_undefined(const Expr& closed, const Context& context) {
  return why_undefined_at(closed, Rational(0), std::nullopt, context).or_raise();
}

std::vector<NamedFunction> functions_of(const ScoreFunction& law) {
  std::vector<NamedFunction> result{{law.bias, "bias"}};
  if (law.query) result.insert(result.end(), {{law.query->shape, "shape"}, {law.query->radius, "radius"}});
  if (law.path) {
    if (law.path->low) result.push_back({*law.path->low, "low"});
    result.push_back({law.path->high, "high"});
  }
  if (law.softcap) result.push_back({Expr(1) / *law.softcap, "softcap"});
  if (law.has_content) {
    result.push_back({law.gain, "gain"});
    result.push_back({law.norm, "the transform"});
  }
  if (!law.turns() || law.rotation.angle.mentions("alpha")) return result;
  const int blocks = law.rotation.angle.mentions("j") ? law.head_dim / 2 : 1;
  for (int j = 0; j < blocks; ++j)
    result.push_back(
        {substitute(law.rotation.angle, "j", Expr(j)), "angle (block j = " + std::to_string(j) + ")"});
  return result;
}

}  // namespace gpe::theory
