#include "checks/sums/simplified_exponent.h"
// Tests: tests/checks/sums/bounds_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/halfline/half_line.h"
#include "theory/asymptotics/limit.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

// Whether |product| < bound on [at, ∞): log|product| is below log(bound) at the left end and decreases.
bool stays_below(const Expr& product, const Rational& bound, const Rational& at, const Context& context) {
  std::vector<Expr> factors = {product};
  if (const auto* several = product.as<theory::node::Mul>()) factors = several->factors;
  Expr log_size(0);
  for (const Expr& factor : factors) {
    if (const auto* call = factor.as<theory::node::Call>();
        call != nullptr && call->function == theory::Function::exp) {
      log_size = log_size + call->arguments.front();
      continue;
    }
    const Ball here = evaluate(factor, {{theory::kIndex, Ball(at, 64)}}, 64);
    const Expr positive = here.surely_negative() ? -factor : factor;
    if (factor.mentions(theory::kIndex) && !surely_below(-positive, Rational(0), at, context)) return false;
    log_size = log_size + theory::log(positive);
  }
  const Ball here = evaluate(log_size, {{theory::kIndex, Ball(at, 128)}}, 128);
  return here.is_finite() && here.surely_less(log(Ball(bound, 128), 128)) &&
         surely_falls(log_size, Rational(0), at, context);
}

// Whether |term| < bound on [at, ∞), for products and for log(1 + products): |log(1 + s)| <= 2|s| for |s| <=
// 1/2.
bool term_stays_below(const Expr& term, const Rational& bound, const Rational& at, const Context& context) {
  if (!term.mentions(theory::kIndex)) return false;
  const auto* call = term.as<theory::node::Call>();
  if (call == nullptr || call->function != theory::Function::log)
    return stays_below(term, bound, at, context);
  const auto* sum = call->arguments.front().as<theory::node::Add>();
  if (sum == nullptr) return false;
  std::vector<Expr> small;
  bool one = false;
  for (const Expr& part : sum->terms) {
    if (part.is_number(1) && !one) {
      one = true;
    } else {
      small.push_back(part);
    }
  }
  const Rational each = std::min(bound, Rational(1)) / Rational(static_cast<std::int64_t>(2 * small.size()));
  return one &&
         std::ranges::all_of(small, [&](const Expr& part) { return stays_below(part, each, at, context); });
}

}  // namespace

std::optional<SimplifiedExponent> without_small_terms(const Expr& exponent, const Rational& start,
                                                      const Rational& cut, long accuracy,
                                                      const Context& context) {
  const auto* sum = exponent.as<theory::node::Add>();
  if (sum == nullptr) return std::nullopt;
  const auto count = static_cast<std::int64_t>(sum->terms.size());
  const Rational small = Rational(1, 2).pow(accuracy + 3) / Rational(count);
  for (Rational at = (start + Rational(6)).ceil(); at < cut / Rational(2); at = at * Rational(2)) {
    std::vector<Expr> kept;
    for (const Expr& term : sum->terms) {
      if (!term_stays_below(term, small, at, context)) kept.push_back(term);
    }
    const auto dropped = count - static_cast<std::int64_t>(kept.size());
    if (dropped > 0) return SimplifiedExponent{at, add(kept), Ball(small * Rational(dropped), 64)};
  }
  return std::nullopt;
}

// The same through the first terms of the expansion at infinity: |F - F_0| <= ε is proved in u = log n.
std::optional<SimplifiedExponent> leading_exponent(const AnalyticTail& tail, const Rational& start,
                                                   long accuracy, const Context& context) {
  if (tail.level < 2) return std::nullopt;
  const Rational small = Rational(1, 2).pow(accuracy + 3);
  Expr in_u = tail.in_log;
  Expr v_of_u = Expr::symbol(theory::kIndex);
  for (int k = 1; k <= tail.level; ++k) {
    in_u = in_u + v_of_u;
    if (k < tail.level) v_of_u = theory::log(v_of_u);
  }
  for (int count = 1; count <= 3; ++count) {
    Expr leading = add(theory::dominant_terms(tail.exponent, count, context));
    const Expr error = in_u - substitute(leading, theory::kIndex, v_of_u);
    for (Rational at = (start + Rational(6)).ceil(); at < Rational(40); at += Rational(2)) {
      Ball u(at, 64);
      for (int k = 1; k < tail.level; ++k) u = exp(u, 64);
      const auto ends = u.ends();
      if (!ends || ends->low.bits() > 100000) break;
      const Rational from = ends->low.floor();
      if (surely_below(error, small, from, context) && surely_below(-error, small, from, context)) {
        return SimplifiedExponent{at, leading, Ball(small, 64)};
      }
    }
  }
  return std::nullopt;
}

}  // namespace gpe::checks
