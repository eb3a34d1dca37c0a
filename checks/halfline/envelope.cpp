#include "checks/halfline/envelope.h"

#include "checks/halfline/half_line.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Function;
using theory::Rational;

namespace {

constexpr const char* kBounded = "bounded part";  // no name of a parsed expression has a blank
constexpr int kMaxParts = 200;
constexpr std::size_t kLongSum = 16;

// The first floor, sin or cos of n that lies in no other.
std::optional<Expr> bounded_part(const Expr& e) {
  if (!e.mentions(theory::kIndex)) return std::nullopt;
  if (const auto* call = e.as<theory::node::Call>();
      call != nullptr && (call->function == Function::floor || call->function == Function::sin ||
                          call->function == Function::cos)) {
    return e;
  }
  for (const Expr& child : children(e)) {
    if (auto found = bounded_part(child)) return found;
  }
  return std::nullopt;
}

Expr replaced(const Expr& e, const Expr& what, const Expr& by) {
  return rewrite(e, [&](const Expr& node) { return node == what ? by : node; });
}

// e = rest + factor·part, read off the normal form: the part occurs nowhere else, not even in a condition.
struct Affine {
  Expr rest;
  Expr factor;
};

Affine affine_in(const Expr& e, const Expr& part, const Context& facts) {
  const Form form = to_form(replaced(e, part, Expr::symbol(kBounded)), facts);
  Form rest;
  Form factor;
  for (const theory::Term& term : form.terms()) {
    const Form whole = Form::of_terms({term});
    if (!whole.mentions(kBounded)) {
      rest = rest + whole;
      continue;
    }
    const Form quotient = whole * Form::power(theory::Kernel::symbol(kBounded), Rational(-1));
    if (quotient.mentions(kBounded))
      throw theory::Undecided("the score is not affine in " + theory::to_text(part));
    factor = factor + quotient;
  }
  return {to_expr(rest), to_expr(factor)};
}

// An upper bound for side = 1, a lower one for -1. Long sums term by term.
Expr bound(Expr e, int side, const Rational& from, const Context& context) {
  const Context facts = context_from(from, context);
  if (const auto* sum = e.as<theory::node::Add>(); sum != nullptr && sum->terms.size() > kLongSum) {
    std::vector<Expr> terms = sum->terms;
    for (Expr& term : terms) term = bound(std::move(term), side, from, context);
    return simplify(add(terms), facts);
  }
  for (int count = 0; count < kMaxParts; ++count) {
    context.check_time();
    const auto part = bounded_part(e);
    if (!part) return e;
    const Affine affine = affine_in(e, *part, facts);
    const auto stays_below_zero = [&](const Expr& x) { return surely_below(x, Rational(0), from, context); };
    const bool rises = stays_below_zero(-affine.factor);
    if (!rises && !stays_below_zero(affine.factor))
      throw theory::Undecided("the factor of " + theory::to_text(*part) + " has no proved sign");
    const bool high = rises == (side > 0);
    const auto* call = part->as<theory::node::Call>();
    const Expr end = call->function != Function::floor ? Expr(high ? 1 : -1)
                     : high                            ? call->arguments.front()
                                                       : call->arguments.front() - Expr(1);
    e = simplify(affine.rest + affine.factor * end, facts);
  }
  throw theory::Undecided("too many floors and oscillations");
}

}  // namespace

Envelope envelope(const Expr& score, const Rational& from, const Context& context) {
  return {bound(score, -1, from, context), bound(score, 1, from, context)};
}

}  // namespace gpe::checks
