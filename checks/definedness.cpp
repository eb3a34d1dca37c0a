#include "checks/definedness.h"

#include <chrono>

#include "checks/block_search.h"
#include "checks/expr_ball.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"
#include "theory/spec_error.h"
#include "theory/table.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

constexpr auto kTimeLimit = std::chrono::seconds(2);
constexpr int kMostSteps = 3000;

// Why an expression without free symbols has no value; nothing when it has one. Looks into the parts first,
// so that the smallest part at fault is named; only the branch of a condition that is taken is looked at.
std::optional<std::string> trouble_in(const Expr& e, const Context& context) {
  if (const auto* branch = e.as<theory::node::If>()) {
    if (auto inner = trouble_in(branch->left, context)) return inner;
    if (auto inner = trouble_in(branch->right, context)) return inner;
    const Form difference = to_form(branch->left, context) - to_form(branch->right, context);
    const Expr taken =
        theory::branch(branch->relation, theory::to_expr(difference), Expr(0), Expr(1), Expr(0));
    const bool yes = to_form(taken, context).is_rational(1);
    return trouble_in(yes ? branch->then : branch->otherwise, context);
  }
  if (const auto* sum = e.as<theory::node::Sum>()) {
    for (const Expr& part : {sum->low, sum->high}) {
      if (auto inner = trouble_in(part, context)) return inner;
    }
    const Form low = to_form(sum->low, context);
    const Form high = to_form(sum->high, context);
    if (low.rational() == nullptr || !low.rational()->is_integer()) {
      return "the lower bound " + to_text(low) + " of " + theory::to_text(e) + " is not an integer";
    }
    if (high.rational() == nullptr || !high.rational()->is_integer()) {
      return "the upper bound " + to_text(high) + " of " + theory::to_text(e) + " is not an integer";
    }
    if (*high.rational() - *low.rational() > Rational(20000))
      return "the sum " + theory::to_text(e) + " has more than 20000 terms";
    for (Rational k = *low.rational(); k <= *high.rational(); k += Rational(1)) {
      if (auto inner = trouble_in(substitute(sum->body, sum->variable, Expr(k)), context)) return inner;
    }
    return std::nullopt;
  }
  for (const Expr& part : children(e)) {
    if (auto inner = trouble_in(part, context)) return inner;
  }
  if (const auto* power = e.as<theory::node::Pow>()) {
    const int base = context.sign(to_form(power->base, context));
    const Form exponent = to_form(power->exponent, context);
    const bool whole = exponent.rational() != nullptr && exponent.rational()->is_integer();
    if (base == 0 && context.sign(exponent) < 0) return theory::to_text(e) + " divides by zero";
    if (base == 0 && context.sign(exponent) == 0) return theory::to_text(e) + " is 0^0";
    if (base < 0 && !whole) return theory::to_text(e) + " takes a root of a negative number";
  }
  if (const auto* call = e.as<theory::node::Call>();
      call != nullptr && call->function == theory::Function::log) {
    const int sign = context.sign(to_form(call->arguments.front(), context));
    if (sign <= 0)
      return theory::to_text(e) +
             (sign == 0 ? " is the logarithm of zero" : " is the logarithm of a negative number");
  }
  if (const auto* at = e.as<theory::node::TableAt>()) {
    const Form index = to_form(at->index, context);
    const Rational* number = index.rational();
    if (number == nullptr || !number->is_integer()) {
      return "the index " + to_text(index) + " of table " + at->table->name + " is not an integer";
    }
    const bool past = *number > Rational(at->table->last_index());
    if (*number < Rational(at->table->first_index) || (past && at->table->beyond == theory::Beyond::error)) {
      return "table " + at->table->name + " has no entry " + number->str();
    }
  }
  return std::nullopt;
}

std::optional<std::string> trouble_at(const Expr& function, const Rational& n, const Context& context) {
  const Expr here = rewrite(substitute(function, theory::kIndex, Expr(n)), [](const Expr& e) {
    return e.as<theory::node::CutEntropy>() == nullptr ? e : Expr(1);  // defined whenever the bias is
  });
  try {
    return trouble_in(here, context);
  } catch (const theory::Undefined& undefined) {
    return std::string(undefined.what());
  } catch (const theory::TimeUp&) {
    throw;
  } catch (const theory::Undecided&) {
    return std::nullopt;  // a constant that resists is no reason to refuse the file
  }
}

void require(const Expr& function, const std::string& what, const theory::Law& law, const std::string& source,
             Context& context) {
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
  SearchResult result;
  try {
    result = first_failure(defined, Rational(law.first), last, context, kMostSteps);
  } catch (const theory::TimeUp&) {
    return;  // no failure found in the time allowed
  }
  if (result.fails_at) {
    throw theory::SpecError(source + ": " + what + " is undefined at n = " + result.fails_at->str() + ": " +
                            reason);
  }
}

}  // namespace

void require_defined(const theory::Law& open, const std::string& source,
                     const theory::ConstantOracle& oracle) {
  const theory::Law law = at_values(open);
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
  if (law.has_content) {
    check(law.gain, "gain");
    check(law.norm, "the transform");
  }
  const bool rotates =
      law.transform == theory::Transform::rotation || law.transform == theory::Transform::scaled_rotation;
  if (!rotates || law.rotation.angle.mentions("alpha")) return;
  const int blocks = law.rotation.angle.mentions("j") ? law.head_dim / 2 : 1;
  for (int j = 0; j < blocks; ++j) {
    check(substitute(law.rotation.angle, "j", Expr(j)), "angle (block j = " + std::to_string(j) + ")");
  }
}

}  // namespace gpe::checks
