#include "checks/settled_tail.h"

#include <algorithm>

#include "checks/half_line.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"
#include "theory/limit.h"
#include "theory/table.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

class Settler {
 public:
  Settler(std::int64_t first, const theory::Context& context)
      : from_(std::max<std::int64_t>(first, 0)), context_(context) {}

  std::int64_t from() const { return from_; }

  Expr settle(const Expr& e) {
    if (!e.mentions(theory::kIndex)) return theory::to_expr(to_form(e, context_));
    if (const auto* branch = e.as<theory::node::If>()) {
      const int sign = settled_sign(settle(branch->left) - settle(branch->right));
      return settle(holds(branch->relation, sign) ? branch->then : branch->otherwise);
    }
    if (const auto* at = e.as<theory::node::TableAt>()) {
      const Expr beyond = settle(at->index) - Expr(at->table->last_index());
      if (at->table->beyond != theory::Beyond::constant || settled_sign(beyond) < 0) {
        throw theory::Undecided("the index of table " + at->table->name + " does not settle");
      }
      return Expr(at->table->values.back());
    }
    if (const auto* sum = e.as<theory::node::Sum>()) {
      const theory::Form low = to_form(sum->low, context_);
      const theory::Form high = to_form(sum->high, context_);
      if (low.rational() == nullptr || high.rational() == nullptr)
        throw theory::Undecided("the bounds of a sum do not settle");
      std::vector<Expr> terms;
      for (Rational k = *low.rational(); k <= *high.rational(); k += Rational(1)) {
        terms.push_back(settle(substitute(sum->body, sum->variable, Expr(k))));
      }
      return add(std::move(terms));
    }
    if (const auto* call = e.as<theory::node::Call>()) {
      switch (call->function) {
        case theory::Function::abs: {
          const Expr x = settle(call->arguments.front());
          return settled_sign(x) < 0 ? -x : x;
        }
        case theory::Function::min:
        case theory::Function::max: {
          Expr best = settle(call->arguments.front());
          for (std::size_t i = 1; i < call->arguments.size(); ++i) {
            const Expr other = settle(call->arguments[i]);
            const int sign = settled_sign(other - best);
            if (call->function == theory::Function::min ? sign < 0 : sign > 0) best = other;
          }
          return best;
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
  static bool holds(theory::Relation relation, int sign) {
    switch (relation) {
      case theory::Relation::less:
        return sign < 0;
      case theory::Relation::less_equal:
        return sign <= 0;
      case theory::Relation::greater:
        return sign > 0;
      case theory::Relation::greater_equal:
        return sign >= 0;
      case theory::Relation::equal:
        return sign == 0;
      case theory::Relation::not_equal:
        return sign != 0;
    }
    return false;
  }

  // The sign that e has for every n >= from_, after moving from_ far enough.
  int settled_sign(const Expr& e) {
    const Expr plain = simplify(e, context_);
    const int sign = theory::eventual_sign(plain, context_);
    if (sign == 0) return 0;
    const Expr upward = sign > 0 ? -plain : plain;  // to be proved negative
    move_to([&](const Rational& from) { return surely_below(upward, Rational(0), from, context_); }, e);
    return sign;
  }

  Expr settled_floor(const Expr& whole, const Expr& x) {
    const theory::LimitBounds bounds = theory::limit(theory::floor(x), context_);
    if (!bounds.settled() || bounds.low.kind != theory::Limit::Kind::finite ||
        bounds.low.value.rational() == nullptr) {
      throw theory::Undecided("the floor in " + theory::to_text(whole) + " keeps stepping");
    }
    const Rational value = *bounds.low.value.rational();
    // value <= x < value + 1
    move_to([&](const Rational& from) { return surely_below(x, value + Rational(1), from, context_); },
            whole);
    const Expr above = x - Expr(value);
    if (theory::eventual_sign(above, context_) != 0) {
      move_to([&](const Rational& from) { return surely_below(-above, Rational(0), from, context_); }, whole);
    }
    return Expr(value);
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

SettledTail settled_tail(const Expr& score, std::int64_t first, const theory::Context& context) {
  Settler settler(first, context);
  const Expr settled = settler.settle(score);
  return {settled, settler.from()};
}

}  // namespace gpe::checks
