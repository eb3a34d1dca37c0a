#include "checks/halfline/envelope.h"

#include <algorithm>

#include "checks/arb/precision.h"
#include "checks/arb/range.h"
#include "checks/halfline/half_line.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Function;
using theory::Rational;

namespace {

constexpr const char* kBounded = "a bounded part";  // no name of a parsed expression has a blank
constexpr int kMaxParts = 200;
constexpr std::size_t kLongSum = 16;

bool is_sine(const Expr& e) {
  const auto* call = e.as<theory::node::Call>();
  return call != nullptr && (call->function == Function::sin || call->function == Function::cos);
}

// Bounded, or an end away from something smoother.
struct Part {
  Expr expr;
  Expr low;
  Expr high;
};

// The first floor or bounded wave that lies in no other.
std::optional<Part> bounded_part(const Expr& e, const Range& n) {
  if (!e.mentions(theory::kIndex)) return std::nullopt;
  if (is_wave(e)) {
    const Range values = over_block(e, n, kBoundBits);
    const auto low = values.low.ends();
    const auto high = values.high.ends();
    if (values.defined && low && high) return Part{e, Expr(low->low), Expr(high->high)};
    if (is_sine(e)) return Part{e, Expr(-1), Expr(1)};
  }
  if (const auto* call = e.as<theory::node::Call>(); call != nullptr && call->function == Function::floor)
    return Part{e, call->arguments.front() - Expr(1), call->arguments.front()};
  for (const Expr& child : children(e)) {
    if (auto found = bounded_part(child, n)) return found;
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

// An upper bound for side = 1, a lower one for -1: one part after the other.
Expr bound_of_whole(Expr e, int side, const Rational& from, const Context& context) {
  const Context facts = context_from(from, context);
  const Range n = block(from, std::nullopt, kBoundBits);
  for (int count = 0; count < kMaxParts; ++count) {
    context.check_time();
    const auto part = bounded_part(e, n);
    if (!part) return e;
    const Affine affine = affine_in(e, part->expr, facts);
    const auto stays_below_zero = [&](const Expr& x) { return surely_below(x, Rational(0), from, context); };
    const bool rises = stays_below_zero(-affine.factor);
    if (!rises && !stays_below_zero(affine.factor))
      throw theory::Undecided("the factor of " + theory::to_text(part->expr) + " has no proved sign");
    const Expr& end = rises == (side > 0) ? part->high : part->low;
    e = simplify(affine.rest + affine.factor * end, facts);
  }
  throw theory::Undecided("too many floors and oscillations");
}

// Long sums, and those in which that does not work, term by term.
Expr bound(const Expr& e, int side, const Rational& from, const Context& context) {
  const auto* sum = e.as<theory::node::Add>();
  if (sum == nullptr) return bound_of_whole(e, side, from, context);
  if (sum->terms.size() <= kLongSum) {
    const auto whole = theory::attempt_in_time([&] { return bound_of_whole(e, side, from, context); });
    if (whole) return *whole;
  }
  std::vector<Expr> terms = sum->terms;
  for (Expr& term : terms) term = bound(term, side, from, context);
  return simplify(add(terms), context_from(from, context));
}

}  // namespace

bool is_wave(const Expr& e) {
  if (!e.mentions(theory::kIndex) || is_sine(e)) return true;
  const auto parts = children(e);
  return !parts.empty() && std::ranges::all_of(parts, is_wave);
}

Envelope envelope(const Expr& score, const Rational& from, const Context& context) {
  return {bound(score, -1, from, context), bound(score, 1, from, context)};
}

}  // namespace gpe::checks
