#include "checks/sums/integrand.h"
// Tests: tests/checks/sums/double_exponential_test.cpp
#include "checks/arb/expr_ball.h"

namespace gpe::checks {

using theory::Expr;

namespace {

// With more bits while a narrow argument gives a wide value (cancellation between large terms).
Ball evaluate_stably(const Expr& e, const Ball& v, long bits) {
  Ball value = evaluate(e, {{theory::kIndex, v}}, bits);
  const bool narrow = v.relative_bits() > bits / 2;
  for (long more = 2 * bits; narrow && more <= 16 * bits + 4096; more *= 2) {
    // exponents are used through exp, so their absolute accuracy counts
    if (value.is_finite() && mag_cmp_2exp_si(arb_radref(value.raw()), -bits / 2) < 0) break;
    value = evaluate(e, {{theory::kIndex, v}}, more);
  }
  return value;
}

}  // namespace

Ball Integrand::at(const Ball& v, long bits) const {
  const Ball value = exp(evaluate_stably(exponent, v, bits), bits);
  return factor ? mul(value, evaluate_stably(*factor, v, bits), bits) : value;
}

ComplexBall Integrand::on(const ComplexBall& v, long bits) const {
  ComplexBall value = evaluate_complex(exponent, v, bits, true);
  acb_exp(value.raw(), value.raw(), bits);
  if (factor) acb_mul(value.raw(), value.raw(), evaluate_complex(*factor, v, bits, true).raw(), bits);
  return value;
}

}  // namespace gpe::checks
