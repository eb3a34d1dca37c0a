#include "checks/halfline/monotone_tail.h"

#include <algorithm>

#include "checks/halfline/envelope.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/pieces.h"
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/table.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

bool chooses(const Expr& e) {
  using enum theory::Function;
  if (e.as<theory::node::If>() != nullptr) return true;
  const auto* call = e.as<theory::node::Call>();
  return call != nullptr &&
         (call->function == abs || call->function == min || call->function == max || call->function == floor);
}

class Settler {
 public:
  Settler(std::int64_t first, const theory::Context& context)
      : from_(std::max<std::int64_t>(first, 0)), context_(context) {}

  std::int64_t from() const { return from_; }

  Expr settle(const Expr& e) {
    if (!e.mentions(theory::kIndex)) return theory::to_expr(to_form(e, context_));
    if (chooses(e) && is_wave(e)) return e;  // again and again
    if (const auto* branch = e.as<theory::node::If>()) {
      const int sign = settled_sign(settle(branch->left) - settle(branch->right));
      return settle(theory::satisfies(branch->relation, sign) ? branch->then : branch->otherwise);
    }
    if (const auto* at = e.as<theory::node::TableAt>()) {
      const Expr index = settle(at->index);
      const auto whole = index.number() == nullptr ? std::nullopt : index.number()->to_int64();
      if (whole && *whole >= at->table->first_index && *whole <= at->table->last_index()) {
        return Expr(at->table->values[static_cast<std::size_t>(*whole - at->table->first_index)]);
      }
      const Expr beyond = index - Expr(at->table->last_index());
      if (at->table->beyond != theory::Beyond::constant || settled_sign(beyond) < 0) {
        throw theory::Undecided("the index of table " + at->table->name + " does not settle");
      }
      return Expr(at->table->values.back());
    }
    if (const auto* power = e.as<theory::node::Pow>(); power != nullptr && power->base.is_number(0)) {
      if (settled_sign(settle(power->exponent)) > 0) return Expr(0);
      throw theory::Undecided("the exponent of 0 does not stay positive");
    }
    if (const auto* sum = e.as<theory::node::Sum>()) {
      std::vector<Expr> terms = terms_of(*sum, "do not settle", context_);
      for (Expr& term : terms) term = settle(term);
      return add(terms);
    }
    if (const auto* call = e.as<theory::node::Call>()) {
      switch (call->function) {
        case theory::Function::abs: {
          const Expr x = settle(call->arguments.front());
          return settled_sign(x) < 0 ? -x : x;
        }
        case theory::Function::min:
        case theory::Function::max: {
          Expr best = call->arguments.front();  // only the winner has to settle
          for (std::size_t i = 1; i < call->arguments.size(); ++i) {
            const Expr& other = call->arguments[i];
            const int sign = settled_sign(other - best);
            if (call->function == theory::Function::min ? sign < 0 : sign > 0) best = other;
          }
          return settle(best);
        }
        case theory::Function::floor:
          return settled_floor(e, settle(call->arguments.front()));
        default:
          break;
      }
    }
    std::vector<Expr> parts = children(e);
    for (Expr& part : parts) part = settle(part);
    return with_children(e, std::move(parts));
  }

 private:
  // The sign that e has for every n >= from_, after moving from_ far enough.
  int settled_sign(const Expr& e) {
    const int sign = theory::eventual_sign(e, context_);
    if (sign == 0) {
      move_to([&](const Rational& from) { return is_zero(e, from); }, e);
    } else {
      move_to([&](const Rational& from) { return stays_negative(sign > 0 ? -e : e, from); }, e);
    }
    return sign;
  }

  // The integer-valued polynomial k with which the expansion of x begins: floor(x) = k + floor(x - k).
  Expr leading_polynomial(const Expr& x) const {
    theory::Form k;
    for (;;) {
      const auto lead = theory::attempt_in_time(
          [&] { return theory::dominant_terms(simplify(x - to_expr(k), context_), 1, context_); });
      if (!lead || lead->empty()) return to_expr(k);
      const theory::Form term = to_form(lead->front(), context_);
      if (term.terms().size() != 1 || !term.mentions(theory::kIndex) ||
          !theory::is_integer_valued(term.terms().front()))
        return to_expr(k);
      k = k + term;
    }
  }

  Expr settled_floor(const Expr& whole, const Expr& argument) {
    const Expr polynomial = leading_polynomial(argument);
    const Expr x = argument - polynomial;
    const theory::LimitBounds bounds = theory::limit(theory::floor(x), context_);
    if (!bounds.settled() || bounds.low.kind != theory::Limit::Kind::finite ||
        bounds.low.value.rational() == nullptr) {
      throw theory::Undecided("the floor in " + theory::to_text(whole) + " keeps stepping");
    }
    const Rational value = *bounds.low.value.rational();
    // value <= x < value + 1
    const Expr above = x - Expr(value);
    move_to([&](const Rational& from) { return stays_negative(above - Expr(1), from); }, whole);
    if (theory::eventual_sign(above, context_) == 0) {
      move_to([&](const Rational& from) { return is_zero(above, from); }, whole);
    } else {
      move_to([&](const Rational& from) { return stays_negative(-above, from); }, whole);
    }
    return polynomial + Expr(value);
  }

  // Both on all of [from, ∞): what holds near infinity alone is not a fact there.
  bool stays_negative(const Expr& e, const Rational& from) const {
    return surely_below(e, Rational(0), from, context_) ||
           surely_below(simplify(e, context_from(from, context_)), Rational(0), from, context_);
  }
  bool is_zero(const Expr& e, const Rational& from) const {
    return to_form(e, context_from(from, context_)).is_zero();
  }

  template <class Proof>
  void move_to(const Proof& proof, const Expr& what) {
    for (std::int64_t candidate = from_;; candidate = std::max<std::int64_t>(4, 2 * candidate)) {
      context_.check_time();
      if (proof(Rational(candidate))) {
        from_ = candidate;
        return;
      }
      if (candidate > (std::int64_t{1} << 40)) {
        throw theory::Undecided("no point found from which the sign of " + theory::to_text(what) +
                                " is proved to stay");
      }
    }
  }

  std::int64_t from_;
  const theory::Context& context_;
};

}  // namespace

namespace {

// Terms with the same function of n together, their constant in one piece, and proved to be whole where it
// is: (1 + sqrt(2) + sqrt(3) - sqrt(5 + 2*sqrt(6)))*log(n) is log(n).
Expr with_plain_constants(const Expr& score, const theory::Context& facts) {
  struct Group {
    theory::Form function;
    theory::Form constant;
  };
  std::vector<Group> groups;
  const theory::Form form = to_form(score, facts);
  for (const theory::Term& term : form.terms()) {
    theory::Term constant{term.coefficient, {}};
    theory::Term function{Rational(1), {}};
    for (const theory::KernelPower& power : term.powers) {
      const bool moving = theory::Form::power(power.kernel).mentions(theory::kIndex);
      (moving ? function : constant).powers.push_back(power);
    }
    const theory::Form of_n = theory::Form::of_terms({function});
    auto at = std::ranges::find(groups, of_n, &Group::function);
    if (at == groups.end()) at = groups.insert(groups.end(), {of_n, theory::Form()});
    at->constant = at->constant + theory::Form::of_terms({constant});
  }
  std::vector<Expr> result;
  for (Group& group : groups) {
    if (group.constant.rational() == nullptr) {
      const auto near = facts.enclose(group.constant, 64);
      const Rational whole = near ? (near->low + Rational(1, 2)).floor() : Rational(0);
      if (facts.is_zero(group.constant - theory::Form(whole))) group.constant = theory::Form(whole);
    }
    // each constant in one piece: its sign is seen
    if (!group.constant.is_zero()) result.push_back(to_expr(group.constant) * to_expr(group.function));
  }
  return add(result);
}

}  // namespace

MonotoneTail monotone_tail(const Expr& score, std::int64_t first, const theory::Context& context) {
  Settler settler(first, context);
  const Expr settled = settler.settle(score);
  const theory::Context facts = context_from(Rational(settler.from()), context);
  // a constant that may be zero stays as it is
  const auto plain = theory::attempt_in_time([&] { return with_plain_constants(settled, facts); });
  return {plain ? *plain : settled, settler.from()};
}

}  // namespace gpe::checks
