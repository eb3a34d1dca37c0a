#include "checks/sums/terms.h"
// Tests: tests/checks/sums/sums_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/any_part.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

bool has_floor(const Expr& e) {
  return theory::any_part(e, [](const Expr& part) {
    const auto* call = part.as<theory::node::Call>();
    return call != nullptr && call->function == theory::Function::floor;
  });
}

// Whether e^a has about `bits` bits: the absolute error of a counts.
bool accurate(const Ball& a, long bits) {
  return a.is_finite() && mag_cmp_2exp_si(arb_radref(a.raw()), -bits / 2) <= 0;
}

// Whether e^a is far below the last digit of a sum, so that its own digits do not matter.
bool negligible(const Ball& a, const Ball& sum, long bits) {
  if (!a.is_finite() || !sum.surely_positive()) return false;
  Ball w = exp(a.upper(64), 64);
  arb_mul_2exp_si(w.raw(), w.raw(), 2 * bits);
  return w.surely_less(sum);
}

Ball exact_value(const Expr& score, const Rational& n, long bits, const Context& context) {
  return evaluate(to_expr(to_form(substitute(score, theory::kIndex, Expr(n)), context)), {}, bits);
}

// A term that cancels, or whose floor meets an integer: with more bits, then exactly.
Ball value_again(const Expr& score, const Rational& n, const Ball& sum, long bits, bool steps,
                 const Context& context) {
  Ball a;
  for (long more = 2 * bits; more <= 32 * bits; more *= 2) {
    a = evaluate(score, {{theory::kIndex, Ball(n, more + static_cast<long>(n.bits()))}}, more);
    if (accurate(a, bits) || negligible(a, sum, bits)) return a;
    if (steps) break;
  }
  if (!steps && a.is_finite()) return a;
  return exact_value(score, n, bits, context);
}

}  // namespace

Ball term_value(const Expr& score, const Rational& n, long bits, const Context& context) {
  const Ball value = evaluate(score, {{theory::kIndex, Ball(n, bits + static_cast<long>(n.bits()))}}, bits);
  if (arb_rel_one_accuracy_bits(value.raw()) > bits / 2) return value;
  return exact_value(score, n, bits, context);
}

Moments sum_terms(const Expr& score, const Rational& from, const Rational& to, long bits,
                  const Context& context) {
  Moments result;
  const long index_bits = bits + static_cast<long>(to.bits());  // n is exact
  const bool steps = has_floor(score);
  BallEvaluator evaluator{BallOperations(bits)};
  std::int64_t count = 0;
  for (Rational n = from; n <= to; n += Rational(1)) {
    if (count++ % 16 == 0) context.check_time();
    const Ball index(n, index_bits);
    evaluator.bind(theory::kIndex, index);
    Ball a = evaluator(score);
    if (!accurate(a, bits) && !negligible(a, result.z, bits))
      a = value_again(score, n, result.z, bits, steps, context);
    const Ball w = exp(a, bits);
    if (!score.mentions(theory::kIndex)) {
      const Ball z = mul(w, Ball(to - from + Rational(1), index_bits), bits);
      return {z, mul(a, z, bits), mul(Ball((from + to) / Rational(2), index_bits), z, bits)};
    }
    result.z = add(result.z, w, bits);
    result.s = add(result.s, mul(a, w, bits), bits);
    result.d = add(result.d, mul(index, w, bits), bits);
  }
  return result;
}

}  // namespace gpe::checks
