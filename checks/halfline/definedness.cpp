#include "checks/halfline/definedness.h"

#include <chrono>

#include "checks/arb/expr_ball.h"
#include "checks/halfline/block_search.h"
#include "checks/halfline/plane_search.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/polynomial.h"
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
constexpr long kBits = 128;

// A point: n and L, and the values of the summation variables around the part that is looked at.
class Point {
 public:
  Point(const Rational& n, const std::optional<Rational>& length, const Context& context) : context_(context) {
    bind(theory::kIndex, n);
    if (length) bind(theory::kLength, *length);
  }

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

  // The integer that a value is; nothing where it is none. @throws theory::Undecided  where that is open
  std::optional<Rational> integer(const Form& value) const {
    if (const Rational* number = value.rational())
      return number->is_integer() ? std::optional(*number) : std::nullopt;
    const Form whole = to_form(call(theory::Function::floor, {theory::to_expr(value)}), context_);
    if (context_.sign(value - whole) != 0) return std::nullopt;
    if (whole.rational() == nullptr) throw theory::Undecided("it is " + to_text(whole));
    return *whole.rational();
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
    const auto number = integer(index);
    if (!number) return "the index " + to_text(index) + " of table " + at.table->name + " is not an integer";
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
    const auto low = integer(value(sum.low)), high = integer(value(sum.high));
    if (!low || !high) {
      return std::string(!low ? "the lower bound " : "the upper bound ") +
             to_text(value(!low ? sum.low : sum.high)) + " of " + theory::to_text(e) + " is not an integer";
    }
    if (*high - *low >= Rational(20000))
      return "the sum " + theory::to_text(e) + " has more than 20000 terms";
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

// L written as n + beyond; polynomials collected, so that ranges of L - n are those of `beyond`.
Expr with_length_beyond(const Expr& function, const std::string& beyond, const Context& context) {
  const Expr put_in = substitute(function, theory::kLength, Expr::symbol(theory::kIndex) + Expr::symbol(beyond));
  return rewrite(put_in, [&](const Expr& part) {
    return part.as<theory::node::Add>() != nullptr && is_polynomial(part) ? simplify(part, context) : part;
  });
}

using Trouble = theory::Attempt<std::optional<std::string>>;

// Why the function has no value at n (and L); not known where a constant resists.
Trouble trouble_at(const Expr& function, const Rational& n, const std::optional<Rational>& length, const Context& context) {
  Trouble trouble = theory::attempt_in_time<theory::Undefined, theory::Undecided>(
      [&] { return Point(n, length, context).trouble_in(function); });
  if (!trouble && trouble.why().end == theory::NotKnown::End::undefined) return std::optional(trouble.reason());
  return trouble;
}

}  // namespace

std::optional<std::string> why_undefined(const Expr& closed, const Context& context) {
  return trouble_at(closed, Rational(0), std::nullopt, context).or_raise();
}

namespace {

// One function of the law: refused where it has no value somewhere, and what is open about it.
class Question {
 public:
  Question(const Expr& function, const std::string& what, const std::string& source, const Context& context)
      : function_(function), what_(what), source_(source), context_(context) {}

  // What is assumed; nothing when the function is proved to have a value at every n from `first` to `last`.
  std::optional<std::string> of_constant() const {
    const Trouble trouble = trouble_at(function_, Rational(0), std::nullopt, context_);
    if (!trouble) return what_ + " is assumed to have a value (not settled: " + trouble.reason() + ")";
    if (*trouble) refuse("", **trouble);
    return std::nullopt;
  }

  std::optional<std::string> of_distance(const Rational& first, const std::optional<Rational>& last) {
    const Statement defined{[&](const Range& n) { return over_block(function_, n, kBits).defined; },
                            [&](const Rational& n) { return holds_at(n, std::nullopt); }};
    const auto searched = theory::attempt<theory::TimeUp>(
        [&] { return first_failure(defined, first, last, context_, kMaxSteps); });
    if (searched && searched->fails_at) {
      const Rational& n = *searched->fails_at;
      const Trouble next = trouble_at(function_, Rational(1), std::nullopt, context_);
      const bool at_the_query = n.is_zero() && next && !*next;
      refuse(" at n = " + n.str(),
             reason_ + (at_the_query
                            ? "; n begins at 0, the query itself: write 1 + n for n, or first = 1 for keys before it"
                            : ""));
    }
    if (searched && searched->proved_everywhere && open_.empty()) return std::nullopt;
    return assumed("at every n", searched ? "seen below n = " + searched->checked_below.str() : "time is up");
  }

  // Of the n and L with first <= n <= last and n <= L.
  std::optional<std::string> of_distance_and_length(const Rational& first, const std::optional<Rational>& last) {
    static const std::string kBeyond = "beyond";
    const Expr function = with_length_beyond(function_, kBeyond, context_);
    const PlaneStatement defined{
        [&](const Range& n, const Range& beyond) {
          return over_blocks(function, {{theory::kIndex, n}, {kBeyond, beyond}}, kBits).defined;
        },
        [&](const Rational& n, const Rational& beyond) { return holds_at(n, n + beyond); }};
    const Statement on_diagonal{
        [&](const Range& n) { return over_blocks(function, {{theory::kIndex, n}, {kBeyond, block(0, Rational(0), kBits)}}, kBits).defined; },
        [&](const Rational& n) { return holds_at(n, n); }};
    const auto searched = theory::attempt<theory::TimeUp>([&] {
      auto result = first_failure_in_plane(defined, {first, last}, {Rational(0), std::nullopt}, context_, kMaxSteps);
      if (result.fails_at || result.proved_everywhere) return result;
      if (const auto n = first_failure(on_diagonal, first, last, context_, kMaxSteps).fails_at)
        result.fails_at = {*n, Rational(0)};
      return result;
    });
    if (searched && searched->fails_at) {
      const auto& [n, beyond] = *searched->fails_at;
      refuse(" at n = " + n.str() + ", L = " + (n + beyond).str(), reason_);
    }
    if (searched && searched->proved_everywhere && open_.empty()) return std::nullopt;
    return assumed("at every n and L", searched ? "seen below L = " + searched->checked_below.str() : "time is up");
  }

 private:
  bool holds_at(const Rational& n, const std::optional<Rational>& length) {
    const Trouble trouble = trouble_at(function_, n, length, context_);
    if (!trouble) {
      if (open_.empty()) open_ = "n = " + n.str() + (length ? ", L = " + length->str() : "");
      return true;  // a constant that resists is no reason to refuse the file
    }
    if (*trouble) reason_ = **trouble;
    return !*trouble;
  }

  [[noreturn]] void refuse(const std::string& where, const std::string& reason) const {
    throw theory::SpecError(source_ + ": " + what_ + " is undefined" + where + ": " + reason);
  }

  std::string assumed(const std::string& where, const std::string& seen) const {
    return what_ + " is assumed to have a value " + where + " (" +
           (open_.empty() ? seen : "not settled at " + open_) + ")";
  }

  const Expr& function_;
  const std::string& what_;
  const std::string& source_;
  const Context& context_;
  std::string reason_;
  std::string open_;  // where a constant resists first
};

}  // namespace

std::vector<std::string> require_defined(const theory::ScoreFunction& open, const std::string& source,
                                         const theory::ConstantOracle& oracle) {
  const theory::ScoreFunction law = at_values(open);
  Context context(oracle);
  context.set_deadline(Context::Clock::now() + kTimeLimit);
  const Rational first(law.first);
  const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
  std::vector<std::string> assumed;
  const auto check = [&](const Expr& function, const std::string& what) {
    Question question(function, what, source, context);
    const auto open_about = function.mentions(theory::kLength) ? question.of_distance_and_length(first, last)
                            : function.mentions(theory::kIndex) || !theory::free_symbols(function).empty()
                                ? question.of_distance(first, last)
                                : question.of_constant();
    if (open_about) assumed.push_back(*open_about);
  };
  check(law.bias, "bias");
  if (law.query) check(law.query->shape, "shape");
  if (law.has_content) {
    check(law.gain, "gain");
    check(law.norm, "the transform");
  }
  if (!law.turns() || law.rotation.angle.mentions("alpha")) return assumed;
  const int blocks = law.rotation.angle.mentions("j") ? law.head_dim / 2 : 1;
  for (int j = 0; j < blocks; ++j) {
    check(substitute(law.rotation.angle, "j", Expr(j)), "angle (block j = " + std::to_string(j) + ")");
  }
  return assumed;
}

}  // namespace gpe::checks
