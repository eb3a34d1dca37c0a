#include "checks/halfline/pieces.h"

#include <algorithm>

#include "checks/arb/precision.h"
#include "checks/arb/range.h"
#include "checks/halfline/half_line.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Expr;
using theory::Function;
using theory::Rational;

namespace {

// The sign of e on the whole range, when it is proved.
std::optional<int> sign_on(const Expr& e, const Range& n) {
  const Range range = over_block(e, n, kSearchBits);
  if (!range.defined) return std::nullopt;
  if (range.surely_positive()) return 1;
  if (range.surely_negative()) return -1;
  if (range.low.surely_zero() && range.high.surely_zero()) return 0;
  return std::nullopt;
}

std::optional<bool> holds_on(theory::Relation relation, const Expr& difference, const Range& n) {
  const auto sign = sign_on(difference, n);
  if (!sign) return std::nullopt;
  switch (relation) {
    case theory::Relation::less:
      return *sign < 0;
    case theory::Relation::less_equal:
      return *sign <= 0;
    case theory::Relation::greater:
      return *sign > 0;
    case theory::Relation::greater_equal:
      return *sign >= 0;
    case theory::Relation::equal:
      return *sign == 0;
    case theory::Relation::not_equal:
      return *sign != 0;
  }
  return std::nullopt;
}

std::optional<Expr> decided(const Expr& e, const Range& n);

// min and max: the one that is proved to be on its side of all the others.
std::optional<Expr> best_of(const std::vector<Expr>& candidates, int side, const Range& n) {
  for (const Expr& one : candidates) {
    const bool best = std::ranges::all_of(candidates, [&](const Expr& other) {
      if (other.same_object(one)) return true;
      const auto sign = sign_on(one - other, n);
      return sign && *sign * side >= 0;
    });
    if (best) return decided(one, n);
  }
  return std::nullopt;
}

std::optional<Expr> decided(const Expr& e, const Range& n) {
  if (!e.mentions(theory::kIndex)) return e;
  if (const auto* branch = e.as<theory::node::If>()) {
    const auto holds = holds_on(branch->relation, branch->left - branch->right, n);
    if (!holds) return std::nullopt;
    return decided(*holds ? branch->then : branch->otherwise, n);
  }
  if (const auto* call = e.as<theory::node::Call>()) {
    const Expr& x = call->arguments.front();
    switch (call->function) {
      case Function::abs: {
        const auto sign = sign_on(x, n);
        if (!sign) return std::nullopt;
        return decided(*sign < 0 ? -x : x, n);
      }
      case Function::min:
      case Function::max:
        return best_of(call->arguments, call->function == Function::max ? 1 : -1, n);
      case Function::floor: {
        const auto range = over_block(e, n, kSearchBits);
        const auto low = range.defined ? range.low.ends() : std::nullopt;
        const auto high = range.defined ? range.high.ends() : std::nullopt;
        if (!low || !high || low->low != high->high) return std::nullopt;
        return Expr(low->low);
      }
      default:
        break;
    }
  }
  if (e.as<theory::node::TableAt>() != nullptr) return std::nullopt;
  std::vector<Expr> parts = children(e);
  bool changed = false;
  for (Expr& part : parts) {
    auto next = decided(part, n);
    if (!next) return std::nullopt;
    changed = changed || !next->same_object(part);
    part = std::move(*next);
  }
  return changed ? with_children(e, std::move(parts)) : e;
}

}  // namespace

bool has_choices(const Expr& e) {
  if (!e.mentions(theory::kIndex)) return false;
  if (e.as<theory::node::If>() != nullptr || e.as<theory::node::TableAt>() != nullptr) return true;
  if (const auto* call = e.as<theory::node::Call>()) {
    switch (call->function) {
      case Function::abs:
      case Function::min:
      case Function::max:
      case Function::floor:
        return true;
      default:
        break;
    }
  }
  return std::ranges::any_of(children(e), has_choices);
}

std::vector<Expr> terms_of(const theory::node::Sum& sum, const std::string& what,
                           const theory::Context& context) {
  const theory::Form low = to_form(sum.low, context);
  const theory::Form high = to_form(sum.high, context);
  if (low.rational() == nullptr || high.rational() == nullptr)
    throw theory::Undecided("the bounds of a sum " + what);
  if (*high.rational() - *low.rational() > Rational(kMaxSumTerms))
    throw theory::Undecided("a sum with more than 20000 terms");
  std::vector<Expr> terms;
  for (Rational k = *low.rational(); k <= *high.rational(); k += Rational(1)) {
    context.check_time();
    terms.push_back(substitute(sum.body, sum.variable, Expr(k)));
  }
  return terms;
}

Expr written_out(const Expr& e, const theory::Context& context) {
  if (!e.mentions(theory::kIndex)) return theory::to_expr(to_form(e, context));
  if (const auto* sum = e.as<theory::node::Sum>()) {
    std::vector<Expr> terms = terms_of(*sum, "depend on n", context);
    for (Expr& term : terms) term = written_out(term, context);
    return add(terms);
  }
  std::vector<Expr> parts = children(e);
  for (Expr& part : parts) part = written_out(part, context);
  return with_children(e, std::move(parts));
}

std::optional<Expr> decided_on(const Expr& e, const Rational& first, const Rational& last) {
  return decided(e, block(first, last, kSearchBits));
}

std::optional<Rational> decided_until(const Expr& e, const Rational& first, const Rational& last,
                                      const Rational& least) {
  if (decided_on(e, first, last)) return last;
  if (first + least > last || !decided_on(e, first, first + least)) return std::nullopt;
  Rational low = first + least;
  Rational high = last;
  for (Rational width = least; first + width < last; width *= Rational(2)) {
    if (!decided_on(e, first, first + width)) {
      high = first + width;
      break;
    }
    low = first + width;
  }
  while (high - low > Rational(1)) {
    const Rational middle = ((low + high) / Rational(2)).floor();
    (decided_on(e, first, middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace gpe::checks
