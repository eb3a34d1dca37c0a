#include "checks/audit/order_by_bias.h"
// Tests: tests/checks/audit/audit_attack_test.cpp
#include <algorithm>

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"
#include "theory/properties/property.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Relation;
using theory::ScoreFunction;

namespace {

constexpr const char* kDistance = "_x";  // n as a positive real number: n itself means "large" in forms

bool surely_nonnegative(const Expr& function, const Context& context) {
  const theory::Form form = to_form(function, context);
  return !context.constraints().signs(form).negative || context.sign(form) >= 0;
}

// Whether the function of n is >= 0 at every real n > 0, and at 0.
bool nonnegative(const Expr& function, const Context& context, bool at_zero = true) {
  Context positive = context;
  const Expr x = Expr::symbol(kDistance);
  if (!positive.constraints().add({theory::Form::symbol(kDistance), Relation::greater})) return false;
  const auto everywhere = [&] {
    return surely_nonnegative(substitute(function, theory::kIndex, x), positive) &&
           (!at_zero || surely_nonnegative(substitute(function, theory::kIndex, Expr(0)), context));
  };
  return theory::attempt<theory::SplitRequest, theory::Undecided, theory::Undefined>(everywhere)
      .value_or(false);
}

bool surely_positive(const Expr& e, const Context& context) { return context.sign(to_form(e, context)) > 0; }

// Whether the operations of e are continuous at what they are applied to; of those with a derivative.
bool is_continuous(const Expr& e, const Context& context) {
  using enum theory::Function;
  if (const auto* power = e.as<theory::node::Pow>()) {
    const theory::Rational* exponent = power->exponent.number();
    const bool natural = exponent != nullptr && exponent->is_integer() && exponent->sign() > 0;
    if (!natural && !surely_positive(power->base, context) &&
        !(surely_nonnegative(power->base, context) && surely_positive(power->exponent, context)))
      return false;
  }
  if (const auto* call = e.as<theory::node::Call>()) {
    const bool everywhere = call->function == exp || call->function == sin || call->function == cos ||
                            call->function == atan || call->function == erfc;
    const bool where_positive =
        call->function == log || call->function == lgamma || call->function == polygamma;
    if (!everywhere && !(where_positive && surely_positive(call->arguments.back(), context))) return false;
  }
  if (e.as<theory::node::If>() != nullptr || e.as<theory::node::Sum>() != nullptr ||
      e.as<theory::node::TableAt>() != nullptr || e.as<theory::node::CutEntropy>() != nullptr)
    return false;
  return std::ranges::all_of(children(e), [&](const Expr& part) { return is_continuous(part, context); });
}

// By its derivative at n > 0, where it is continuous at all real n >= 0: a pole between two integers may lie
// between a low value and a high one.
bool does_not_increase(const Expr& function, const Context& context) {
  Context positive = context;
  if (!positive.constraints().add({theory::Form::symbol(kDistance), Relation::greater})) return false;
  const auto everywhere = [&] {
    return is_continuous(substitute(function, theory::kIndex, Expr::symbol(kDistance)), positive) &&
           is_continuous(substitute(function, theory::kIndex, Expr(0)), context) &&
           nonnegative(-derivative(function, theory::kIndex), context, false);
  };
  return theory::attempt<theory::SplitRequest, theory::Undecided, theory::Undefined>(everywhere)
      .value_or(false);
}

bool same_terms(const ClaimQuantity& a, const ClaimQuantity& b, const AuditScope& scope) {
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    if (!a.terms[i].quantities.empty() || !b.terms[i].quantities.empty()) return false;
    if (!(scope.with_numbers(a.terms[i].skeleton) == scope.with_numbers(b.terms[i].skeleton))) return false;
  }
  return true;
}

bool plain(const ScoreFunction& law) {
  return law.first == 0 && !law.two_sided && !law.window && !law.window_size && !law.sink &&
         !law.depends_on_length();
}

}  // namespace

std::optional<theory::Decision> order_by_bias(const ClaimQuantity& left, Relation relation,
                                              const ClaimQuantity& right, const AuditScope& scope,
                                              const Context& context) {
  if (relation == Relation::greater_equal)
    return order_by_bias(right, Relation::less_equal, left, scope, context);
  if (relation != Relation::less_equal || left.name != right.name || !left.encoding || !right.encoding ||
      left.terms.size() != right.terms.size() || !same_terms(left, right, scope)) {
    return std::nullopt;
  }
  const ScoreFunction x = scope.law_of(*left.encoding);
  const ScoreFunction y = scope.law_of(*right.encoding);
  if (!plain(x) || !plain(y)) return std::nullopt;
  const std::string names = left.text + " <= " + right.text;
  const bool below = nonnegative(y.bias - x.bias, context);
  if (left.name == "Z" && left.terms.empty() && below)
    return theory::holds(names + " by O1: the bias is nowhere larger");
  if (left.name == "within" && below && nonnegative(-y.bias, context))
    return theory::holds(names + " by O2: the bias is nowhere nearer to 0");
  const bool without_content =
      left.name != "window" || scope.with_numbers(left.terms[1].skeleton).is_number(0);
  const bool by_o3 = (left.name == "H" || left.name == "mean") ? left.terms.size() <= 1
                                                               : left.name == "window" && without_content;
  if (by_o3 && does_not_increase(x.bias - y.bias, context) && does_not_increase(y.bias, context))
    return theory::holds(names + " by O3: the ratio of the weights falls with distance, and both fall");
  return std::nullopt;
}

}  // namespace gpe::checks
