#include "checks/sums/tail_integral.h"
// Tests: tests/checks/sums/bounds_test.cpp
#include <acb_calc.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "checks/arb/complex_ball.h"
#include "checks/arb/expr_ball.h"
#include "checks/sums/double_exponential.h"
#include "checks/sums/integrand.h"
#include "checks/sums/simplified_exponent.h"
#include "checks/sums/tail_bounds.h"
#include "theory/exact/attempt.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr long kManyBits = 1200;               // from here on double_exponential is faster
constexpr std::int64_t kLongExpression = 300;  // nodes; then its first terms are tried at once

// What acb_calc_integrate hands back to `callback`.
struct Quadrature {
  const Integrand& integrand;
  bool out_of_time = false;
};

int callback(acb_ptr result, const acb_t argument, void* parameter, slong order, slong bits) {
  auto& quadrature = *static_cast<Quadrature*>(parameter);
  assert(order <= 1);
  acb_indeterminate(result);
  if (quadrature.out_of_time) return 0;
  const auto compute = [&] {
    quadrature.integrand.context->check_time();
    ComplexBall v;
    acb_set(v.raw(), argument);
    ComplexBall value = order == 0 && acb_is_real(argument) != 0
                            ? ComplexBall(quadrature.integrand.at(v.real(), static_cast<long>(bits)))
                            : quadrature.integrand.on(v, static_cast<long>(bits));
    acb_swap(result, value.raw());
  };
  // nothing may be thrown through the quadrature
  const auto done = theory::attempt<theory::TimeUp, theory::EvaluationError>(compute);
  quadrature.out_of_time = !done && done.why().end == theory::NotKnown::End::time_up;
  return 0;
}

// The largest degree of quadrature whose nodes can be computed in half of the time left: nothing can
// interrupt that, and up to degree n it takes about 4·10^-10·n²·bits seconds.
long most_nodes(const Context& context, long bits) {
  const auto left = context.budget().left();
  if (!left) return 4 * bits;
  const double seconds = std::max(1e-3, std::chrono::duration<double>(*left).count());
  return std::clamp(std::lround(std::sqrt(seconds / (8e-10 * static_cast<double>(bits)))), 32L, 4 * bits);
}

Ball integrate(const Integrand& integrand, const Ball& from, const Ball& to, const IntegralOptions& o,
               const Ball& scale) {
  ComplexBall a(from);
  ComplexBall b(to);
  ComplexBall result;
  mag_t tolerance;
  mag_init(tolerance);
  arb_get_mag_lower(tolerance, scale.raw());
  mag_mul_2exp_si(tolerance, tolerance, -o.accuracy);
  acb_calc_integrate_opt_t options;
  acb_calc_integrate_opt_init(options);
  options->deg_limit = most_nodes(*integrand.context, o.bits);
  options->eval_limit = 200000 + 40 * o.bits;
  options->depth_limit = 4 * o.bits;
  Quadrature quadrature{integrand};
  acb_calc_integrate(result.raw(), callback, &quadrature, a.raw(), b.raw(), o.accuracy, tolerance, options,
                     o.bits);
  mag_clear(tolerance);
  if (quadrature.out_of_time) throw theory::TimeUp();
  return result.real();
}

// A cut V >= start and a bound of ∫_V^∞ e^F, small beside e^reference at the start; I1.
struct Cut {
  Rational at;
  Ball rest;
};

Cut cut_for(const Expr& f, const Expr& reference, const Rational& start, const IntegralOptions& o,
            const Context& context) {
  const auto value = [&](const Rational& v) {
    return evaluate(f, {{theory::kIndex, Ball(v, o.bits)}}, o.bits);
  };
  const Ball first = evaluate(reference, {{theory::kIndex, Ball(start + Rational(1, 4), o.bits)}}, o.bits);
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
    if (const auto rest = integral_beyond(f, v, Ball(v, o.bits), o.bits, context)) return {v, *rest};
  }
  throw theory::Undecided("no point found from which the integrand is proved to decay");
}

// The cut of an integral whose exponent is simplified, with an error of at most log 2: e^F <= 2 e^{F_0}.
Cut cut_of(const SimplifiedExponent& simple, const IntegralOptions& o, const Context& context) {
  Cut cut = cut_for(simple.exponent, simple.exponent, simple.at, o, context);
  cut.rest = mul(Ball(2), cut.rest, o.bits);
  return cut;
}

}  // namespace

Moments tail_integral(const AnalyticTail& tail, const std::optional<Rational>& end, const IntegralOptions& o,
                      const Context& context) {
  const auto iterated_log = [&](const Rational& n) {  // L_level(n)
    Ball v(n, o.bits);
    for (int k = 0; k < tail.level; ++k) v = log(v, o.bits);
    return v;
  };
  const Ball from = iterated_log(tail.start);
  Moments result;
  const Expr with_n = tail.exponent + tail.log_n;
  const auto to_infinity = [&](const Integrand& integrand, const Ball& begin, const Cut& cut,
                               const Ball& scale) {
    if (o.accuracy >= kManyBits) {
      const DoubleExponentialAim aim{o.bits, o.accuracy, scale};
      if (const auto found = double_exponential(integrand, begin, cut.at, cut.rest, aim)) return *found;
    }
    return integrate(integrand, begin, Ball(cut.at, o.bits), o, scale).widened(cut.rest);
  };
  const auto over = [&](const Integrand& integrand, const Expr& bounding, const Ball& scale) {
    if (end) return integrate(integrand, from, iterated_log(*end), o, scale);
    Rational start(tail.start);
    for (int k = 0; k < tail.level; ++k) start = below_log(start);
    if (integrand.factor)
      return to_infinity(integrand, from, cut_for(bounding, integrand.exponent, start, o, context), scale);
    std::optional<SimplifiedExponent> simple;
    Cut cut;
    const bool its_own = integrand.exponent == tail.exponent;
    const auto whole = theory::attempt_in_time([&]() -> std::optional<Ball> {
      if (bounding.size() > kLongExpression && its_own)
        simple = leading_exponent(tail, start, o.accuracy, context);
      if (!simple) {
        cut = cut_for(bounding, bounding, start, o, context);
        const auto without = o.accuracy < kManyBits
                                 ? without_small_terms(integrand.exponent, start, cut.at, o.accuracy, context)
                                 : std::nullopt;
        if (!without) return to_infinity(integrand, from, cut, scale);
        simple = without;
        cut.rest = mul(Ball(2), cut.rest, o.bits);
      } else {
        cut = cut_of(*simple, o, context);
      }
      return std::nullopt;
    });
    if (whole && *whole) return **whole;
    if (!whole) {
      if (its_own && !simple) simple = leading_exponent(tail, start, o.accuracy, context);
      if (!simple) whole.why().raise();
      cut = cut_of(*simple, o, context);
    }
    const Ball near = integrate(integrand, from, Ball(simple->at, o.bits), o, scale);
    const Ball far =
        to_infinity({simple->exponent, std::nullopt, &context}, Ball(simple->at, o.bits), cut, scale);
    return add(near, with_score_error({far, Ball(0), Ball(0)}, simple->error).z, o.bits);
  };
  result.z = over({tail.exponent, std::nullopt, &context}, tail.exponent, o.scale.z);
  if (o.want_s) {
    // for the cut, |A| e^E = e^{E + log(-A)}
    const Expr bounding = end ? tail.exponent : tail.exponent + theory::log(-tail.in_scale);
    result.s = over({tail.exponent, tail.in_scale, &context}, bounding, o.scale.s);
  } else {
    result.s = Ball::unknown();
  }
  result.d = o.want_d ? over({with_n, std::nullopt, &context}, with_n, o.scale.d) : Ball::unknown();
  return result;
}

}  // namespace gpe::checks
