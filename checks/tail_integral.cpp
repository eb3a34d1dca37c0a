#include "checks/tail_integral.h"

#include <acb_calc.h>

#include "checks/complex_ball.h"
#include "checks/expr_ball.h"
#include "theory/derivative.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

// The integrand factor(v)·e^{exponent(v)}; factor may be absent.
struct Integrand {
  Expr exponent;
  std::optional<Expr> factor;
  const Context* context;
};

// Evaluates, raising the precision while a narrow argument gives a wide value (cancellation between large
// terms).
ComplexBall evaluate_stably(const Expr& e, const ComplexBall& v, long bits, bool analytic) {
  ComplexBall value = evaluate_complex(e, v, bits, analytic);
  if (analytic) return value;
  const bool narrow = acb_rel_accuracy_bits(v.raw()) > bits / 2;
  for (long more = 2 * bits; narrow && more <= 16 * bits + 4096; more *= 2) {
    // exponents are used through exp, so their absolute accuracy counts
    mag_t radius;
    mag_init(radius);
    mag_set(radius, arb_radref(acb_realref(value.raw())));
    const bool good = value.is_finite() && mag_cmp_2exp_si(radius, -bits / 2) < 0;
    mag_clear(radius);
    if (good) break;
    value = evaluate_complex(e, v, more, analytic);
  }
  return value;
}

int callback(acb_ptr result, const acb_t argument, void* parameter, slong order, slong bits) {
  const auto& integrand = *static_cast<const Integrand*>(parameter);
  if (order > 1) flint_abort();
  ComplexBall v;
  acb_set(v.raw(), argument);
  const bool analytic = order != 0;
  const ComplexBall exponent = evaluate_stably(integrand.exponent, v, bits, analytic);
  acb_exp(result, exponent.raw(), bits);
  if (integrand.factor) {
    const ComplexBall factor = evaluate_stably(*integrand.factor, v, bits, analytic);
    acb_mul(result, result, factor.raw(), bits);
  }
  return 0;
}

Ball integrate(const Integrand& integrand, const Ball& from, const Ball& to, const IntegralOptions& o) {
  acb_t a;
  acb_t b;
  acb_t result;
  acb_init(a);
  acb_init(b);
  acb_init(result);
  arb_set(acb_realref(a), from.raw());
  arb_set(acb_realref(b), to.raw());
  mag_t tolerance;
  mag_init(tolerance);  // relative accuracy alone decides
  acb_calc_integrate_opt_t options;
  acb_calc_integrate_opt_init(options);
  options->deg_limit = 4 * o.bits;
  options->eval_limit = 200000 + 200 * o.bits;
  options->depth_limit = 4 * o.bits;
  Integrand copy = integrand;
  acb_calc_integrate(result, callback, &copy, a, b, o.accuracy, tolerance, options, o.bits);
  Ball value;
  arb_set(value.raw(), acb_realref(result));
  mag_clear(tolerance);
  acb_clear(a);
  acb_clear(b);
  acb_clear(result);
  return value;
}

// A cut V >= start and a bound of ∫_V^∞ e^F, small beside e^{F(start)}; I1.
struct Cut {
  Rational at;
  Ball rest;
};

Cut cut_for(const Expr& f, const Rational& start, const IntegralOptions& o, const Context& context) {
  const Expr slope = theory::derivative(f, theory::kIndex);
  const auto value = [&](const Rational& v) {
    return evaluate(f, {{theory::kIndex, Ball(v, o.bits)}}, o.bits);
  };
  const Ball first = value(start + Rational(1, 4));
  const Ball enough = Ball(-o.accuracy - 8);
  const Ball log2 = log(Ball(2), 64);
  Rational step(1);
  Rational v = start + step;
  const auto small_at = [&](const Rational& x) {
    const Ball drop = sub(value(x), first, 64);
    return drop.is_finite() && div(drop, log2, 64).surely_less(enough);
  };
  int doublings = 0;
  while (!small_at(v)) {  // far enough out that e^F is negligible
    context.check_time();
    if (++doublings > 400) throw theory::Undecided("the integrand does not become small");
    step *= Rational(2);
    v = start + step;
  }
  Rational low = start + step / Rational(2);
  for (int i = 0; i < 6 && step > Rational(2); ++i) {  // and not much farther
    const Rational middle = (low + v) / Rational(2);
    (small_at(middle) ? v : low) = middle;
  }
  v = v.ceil();
  for (int tries = 0; tries < 60; ++tries, v = v + v - start) {
    context.check_time();
    // σ: a little less than the slope at V
    const Ball here = evaluate(slope, {{theory::kIndex, Ball(v, o.bits)}}, o.bits);
    const auto ends = here.ends();
    if (!ends || ends->high.sign() >= 0) continue;
    Rational sigma = (-ends->high) * Rational(3, 4);
    sigma = sigma.bits() > 64 ? (sigma * Rational(1 << 20)).floor() / Rational(1 << 20) : sigma;
    if (sigma.sign() <= 0 || !surely_below(slope, -sigma, v, context)) continue;
    return {v, div(exp(value(v), o.bits), Ball(sigma, o.bits), o.bits)};
  }
  throw theory::Undecided("no point found from which the integrand is proved to decay");
}

}  // namespace

Moments tail_integral(const AnalyticTail& tail, const std::optional<Rational>& end, const IntegralOptions& o,
                      const Context& context) {
  const auto ladder = [&](const Rational& n) {  // L_level(n)
    Ball v(n, o.bits);
    for (int k = 0; k < tail.level; ++k) v = log(v, o.bits);
    return v;
  };
  const Ball from = ladder(tail.start);
  Moments result;
  const Expr with_n = tail.exponent + tail.log_n;
  const auto over = [&](const Integrand& integrand, const Expr& bounding) {
    if (end) return integrate(integrand, from, ladder(*end), o);
    Rational start(tail.start);
    for (int k = 0; k < tail.level; ++k) start = below_log(start);
    const Cut cut = cut_for(bounding, start, o, context);
    const Ball value = integrate(integrand, from, Ball(cut.at, o.bits), o);
    return value.widened(cut.rest);
  };
  result.z = over({tail.exponent, std::nullopt, &context}, tail.exponent);
  if (o.want_s) {
    // for the cut, |A| e^E = e^{E + log(-A)}
    const Expr bounding = end ? tail.exponent : tail.exponent + theory::log(-tail.in_ladder);
    result.s = over({tail.exponent, tail.in_ladder, &context}, bounding);
  } else {
    result.s = Ball::unknown();
  }
  result.d = o.want_d ? over({with_n, std::nullopt, &context}, with_n) : Ball::unknown();
  return result;
}

}  // namespace gpe::checks
