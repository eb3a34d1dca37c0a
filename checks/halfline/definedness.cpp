#include "checks/halfline/definedness.h"

#include <chrono>

#include "checks/arb/expr_ball.h"
#include "checks/halfline/block_search.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/spec_error.h"
#include "theory/expression/table.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

constexpr auto kTimeLimit = std::chrono::seconds(2);
constexpr int kMaxSteps = 3000;

// A point: n, and the values of the summation variables around the part that is looked at.
class Point {
 public:
  Point(const Rational& n, const Context& context) : context_(context) { bind(theory::kIndex, n); }

  /// Why an expression has no value here; nothing when it has one. Looks into the parts first, so that the
  /// smallest part at fault is named, as it is written; only the branch of a condition that is taken is
  /// looked at.
  std::optional<std::string> trouble_in(const Expr& e) {
    if (const auto* branch = e.as<theory::node::If>()) {
      if (auto inner = trouble_in(branch->left)) return inner;
      if (auto inner = trouble_in(branch->right)) return inner;
      return trouble_in(is_taken(*branch) ? branch->then : branch->otherwise);
    }
    if (const auto* sum = e.as<theory::node::Sum>()) return trouble_in_sum(*sum, e);
    for (const Expr& part : children(e)) {
      if (auto inner = trouble_in(part)) return inner;
    }
    if (const auto* power = e.as<theory::node::Pow>()) return trouble_of(*power, e);
    if (const auto* call = e.as<theory::node::Call>();
        call != nullptr && call->function == theory::Function::log) {
      const int sign = context_.sign(value(call->arguments.front()));
      if (sign == 0) return theory::to_text(e) + " is the logarithm of zero";
      if (sign < 0) return theory::to_text(e) + " is the logarithm of a negative number";
    }
    if (const auto* call = e.as<theory::node::Call>();
        call != nullptr && (call->function == theory::Function::lgamma || call->function == theory::Function::polygamma)) {
      if (context_.sign(value(call->arguments.back())) <= 0)
        return theory::to_text(e) + " has an argument that is not positive";
    }
    if (const auto* at = e.as<theory::node::TableAt>()) return trouble_of(*at);
    return std::nullopt;
  }

 private:
  void bind(const std::string& name, const Rational& number) { bindings_.emplace_back(name, Expr(number)); }

  // H(n) counts as 1: it has a positive value whenever the bias has one.
  Form value(const Expr& e) const {
    Expr here = e;
    for (auto binding = bindings_.rbegin(); binding != bindings_.rend(); ++binding)
      here = substitute(here, binding->first, binding->second);
    here = rewrite(here, [](const Expr& part) {
      return part.as<theory::node::CutEntropy>() == nullptr ? part : Expr(1);
    });
    return to_form(here, context_);
  }

  bool is_taken(const theory::node::If& branch) const {
    const Expr difference = theory::to_expr(value(branch.left) - value(branch.right));
    return to_form(theory::branch(branch.relation, difference, Expr(0), Expr(1), Expr(0)), context_)
        .is_rational(1);
  }

  std::optional<std::string> trouble_of(const theory::node::Pow& power, const Expr& e) const {
    if (const Rational* exponent = power.exponent.number();
        exponent != nullptr && exponent->is_integer() && exponent->sign() > 0)
      return std::nullopt;
    const int base = context_.sign(value(power.base));
    if (base > 0) return std::nullopt;
    const Form exponent = value(power.exponent);
    const bool whole = exponent.rational() != nullptr && exponent.rational()->is_integer();
    if (base == 0 && context_.sign(exponent) < 0) return theory::to_text(e) + " divides by zero";
    if (base == 0 && context_.sign(exponent) == 0) return theory::to_text(e) + " is 0^0";
    if (base < 0 && !whole) return theory::to_text(e) + " takes a root of a negative number";
    return std::nullopt;
  }

  std::optional<std::string> trouble_of(const theory::node::TableAt& at) const {
    const Form index = value(at.index);
    const Rational* number = index.rational();
    if (number == nullptr || !number->is_integer()) {
      return "the index " + to_text(index) + " of table " + at.table->name + " is not an integer";
    }
    const bool past = *number > Rational(at.table->last_index());
    if (*number < Rational(at.table->first_index) || (past && at.table->beyond == theory::Beyond::error)) {
      return "table " + at.table->name + " has no entry " + number->str();
    }
    return std::nullopt;
  }

  std::optional<std::string> trouble_in_sum(const theory::node::Sum& sum, const Expr& e) {
    for (const Expr& part : {sum.low, sum.high}) {
      if (auto inner = trouble_in(part)) return inner;
    }
    const Form low = value(sum.low);
    const Form high = value(sum.high);
    if (low.rational() == nullptr || !low.rational()->is_integer()) {
      return "the lower bound " + to_text(low) + " of " + theory::to_text(e) + " is not an integer";
    }
    if (high.rational() == nullptr || !high.rational()->is_integer()) {
      return "the upper bound " + to_text(high) + " of " + theory::to_text(e) + " is not an integer";
    }
    if (*high.rational() - *low.rational() > Rational(20000))
      return "the sum " + theory::to_text(e) + " has more than 20000 terms";
    for (Rational k = *low.rational(); k <= *high.rational(); k += Rational(1)) {
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

std::optional<std::string> trouble_at(const Expr& function, const Rational& n, const Context& context) {
  const auto trouble = theory::attempt_in_time<theory::Undefined, theory::Undecided>(
      [&] { return Point(n, context).trouble_in(function); });
  if (trouble) return *trouble;
  if (trouble.why().end == theory::NotKnown::End::undefined) return trouble.reason();
  return std::nullopt;  // a constant that resists is no reason to refuse the file
}

void require(const Expr& function, const std::string& what, const theory::ScoreFunction& law,
             const std::string& source, Context& context) {
  if (theory::free_symbols(function).empty() && !function.mentions(theory::kIndex)) {
    if (const auto trouble = trouble_at(function, Rational(0), context)) {
      throw theory::SpecError(source + ": " + what + " is undefined: " + *trouble);
    }
    return;
  }
  std::string reason;
  const Statement defined{[&](const Range& n) { return over_block(function, n, 128).defined; },
                          [&](const Rational& n) {
                            const auto trouble = trouble_at(function, n, context);
                            if (trouble) reason = *trouble;
                            return !trouble;
                          }};
  const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
  const auto searched = theory::attempt<theory::TimeUp>(
      [&] { return first_failure(defined, Rational(law.first), last, context, kMaxSteps); });
  if (!searched) return;  // no failure found in the time allowed
  const SearchResult& result = *searched;
  if (result.fails_at) {
    const bool at_the_query = result.fails_at->is_zero() && !trouble_at(function, Rational(1), context);
    throw theory::SpecError(
        source + ": " + what + " is undefined at n = " + result.fails_at->str() + ": " + reason +
        (at_the_query
             ? "; n begins at 0, the query itself: write 1 + n for n, or first = 1 for keys before it"
             : ""));
  }
}

}  // namespace

void require_defined(const theory::ScoreFunction& open, const std::string& source,
                     const theory::ConstantOracle& oracle) {
  const theory::ScoreFunction law = at_values(open);
  Context context(oracle);
  context.set_deadline(Context::Clock::now() + kTimeLimit);
  // With L: along the diagonal n = L, and at n = first of every row.
  const auto check = [&](const Expr& function, const std::string& what) {
    if (function.mentions(theory::kLength)) {
      const Expr diagonal = substitute(function, theory::kLength, Expr::symbol(theory::kIndex));
      require(diagonal, what + " (at L = n)", law, source, context);
      return;
    }
    require(function, what, law, source, context);
  };
  check(law.bias, "bias");
  if (law.query) check(law.query->shape, "shape");
  if (law.has_content) {
    check(law.gain, "gain");
    check(law.norm, "the transform");
  }
  if (!law.turns() || law.rotation.angle.mentions("alpha")) return;
  const int blocks = law.rotation.angle.mentions("j") ? law.head_dim / 2 : 1;
  for (int j = 0; j < blocks; ++j) {
    check(substitute(law.rotation.angle, "j", Expr(j)), "angle (block j = " + std::to_string(j) + ")");
  }
}

}  // namespace gpe::checks
