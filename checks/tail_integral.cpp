#include "checks/tail_integral.h"

#include <acb_calc.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "checks/complex_ball.h"
#include "checks/expr_ball.h"
#include "checks/half_line.h"
#include "theory/form_expr.h"
#include "theory/limit.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kLongExpression = 300;  // nodes; then its first terms are tried at once

// The integrand factor(v)·e^{exponent(v)}; factor may be absent.
struct Integrand {
  Expr exponent;
  std::optional<Expr> factor;
  const Context* context;
  bool out_of_time = false;
};

// On the real axis: real arithmetic (no branch is ever taken), with more bits while a narrow argument gives a
// wide value (cancellation between large terms).
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

// Off the real axis: finite only where the expression is analytic on the whole box.
ComplexBall value_at(const Expr& e, const ComplexBall& v, long bits, bool analytic) {
  if (!analytic && acb_is_real(v.raw()) != 0) return ComplexBall(evaluate_stably(e, v.real(), bits));
  return evaluate_complex(e, v, bits, true);
}

int callback(acb_ptr result, const acb_t argument, void* parameter, slong order, slong bits) {
  auto& integrand = *static_cast<Integrand*>(parameter);
  assert(order <= 1);
  acb_indeterminate(result);
  if (integrand.out_of_time) return 0;
  try {
    integrand.context->check_time();
    ComplexBall v;
    acb_set(v.raw(), argument);
    const bool analytic = order != 0;
    ComplexBall value = value_at(integrand.exponent, v, bits, analytic);
    acb_exp(value.raw(), value.raw(), bits);
    if (integrand.factor) {
      const ComplexBall factor = value_at(*integrand.factor, v, bits, analytic);
      acb_mul(value.raw(), value.raw(), factor.raw(), bits);
    }
    acb_swap(result, value.raw());
  } catch (const theory::TimeUp&) {  // nothing may be thrown through the quadrature
    integrand.out_of_time = true;
  } catch (const theory::EvaluationError&) {
  }
  return 0;
}

// The largest degree of quadrature whose nodes can be computed in half of the time left: nothing can
// interrupt that, and up to degree n it takes about 4·10^-10·n²·bits seconds.
long most_nodes(const Context& context, long bits) {
  const auto left = context.time_left();
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
  Integrand copy = integrand;
  acb_calc_integrate(result.raw(), callback, &copy, a.raw(), b.raw(), o.accuracy, tolerance, options, o.bits);
  mag_clear(tolerance);
  if (copy.out_of_time) throw theory::TimeUp();
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
    if (const auto sigma = rate_of_fall(f, v, Ball(v, o.bits), o.bits, context)) {
      return {v, div(exp(value(v), o.bits), Ball(*sigma, o.bits), o.bits)};
    }
  }
  throw theory::Undecided("no point found from which the integrand is proved to decay");
}

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

// The exponent on [at, ∞) without the terms that are proved small there, such as log(1 + e^-v).
struct Simplified {
  Rational at;
  Expr exponent;
  Ball error;  ///< of the exponent
};

std::optional<Simplified> without_small_terms(const Expr& exponent, const Rational& start,
                                              const Rational& cut, const IntegralOptions& o,
                                              const Context& context) {
  const auto* sum = exponent.as<theory::node::Add>();
  if (sum == nullptr) return std::nullopt;
  const auto count = static_cast<std::int64_t>(sum->terms.size());
  const Rational small = Rational(1, 2).pow(o.accuracy + 3) / Rational(count);
  for (Rational at = (start + Rational(6)).ceil(); at < cut / Rational(2); at = at * Rational(2)) {
    std::vector<Expr> kept;
    for (const Expr& term : sum->terms) {
      if (!term_stays_below(term, small, at, context)) kept.push_back(term);
    }
    const auto dropped = count - static_cast<std::int64_t>(kept.size());
    if (dropped > 0) return Simplified{at, add(kept), Ball(small * Rational(dropped), 64)};
  }
  return std::nullopt;
}

// The same through the first terms of the expansion at infinity: |F - F_0| <= ε is proved in u = log n.
std::optional<Simplified> leading_part(const AnalyticTail& tail, const Rational& start,
                                       const IntegralOptions& o, const Context& context) {
  if (tail.level < 2) return std::nullopt;
  const Rational small = Rational(1, 2).pow(o.accuracy + 3);
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
        return Simplified{at, leading, Ball(small, 64)};
      }
    }
  }
  return std::nullopt;
}

// The cut of an integral whose exponent is simplified, with an error of at most log 2: e^F <= 2 e^{F_0}.
Cut cut_of(const Simplified& simple, const IntegralOptions& o, const Context& context) {
  Cut cut = cut_for(simple.exponent, simple.exponent, simple.at, o, context);
  cut.rest = mul(Ball(2), cut.rest, o.bits);
  return cut;
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
  const auto over = [&](const Integrand& integrand, const Expr& bounding, const Ball& scale) {
    if (end) return integrate(integrand, from, ladder(*end), o, scale);
    Rational start(tail.start);
    for (int k = 0; k < tail.level; ++k) start = below_log(start);
    if (integrand.factor) {
      const Cut cut = cut_for(bounding, integrand.exponent, start, o, context);
      return integrate(integrand, from, Ball(cut.at, o.bits), o, scale).widened(cut.rest);
    }
    std::optional<Simplified> simple;
    Cut cut;
    const bool its_own = integrand.exponent == tail.exponent;
    try {
      if (bounding.size() > kLongExpression && its_own) simple = leading_part(tail, start, o, context);
      if (!simple) {
        cut = cut_for(bounding, bounding, start, o, context);
        const auto without = without_small_terms(integrand.exponent, start, cut.at, o, context);
        if (!without) return integrate(integrand, from, Ball(cut.at, o.bits), o, scale).widened(cut.rest);
        simple = without;
      } else {
        cut = cut_of(*simple, o, context);
      }
    } catch (const theory::TimeUp&) {
      throw;
    } catch (const theory::Undecided&) {
      if (its_own && !simple) simple = leading_part(tail, start, o, context);
      if (!simple) throw;
      cut = cut_of(*simple, o, context);
    }
    const Ball near = integrate(integrand, from, Ball(simple->at, o.bits), o, scale);
    const Ball far = integrate({simple->exponent, std::nullopt, &context}, Ball(simple->at, o.bits),
                               Ball(cut.at, o.bits), o, scale);
    // e^F = e^{F_0}(1 + r) with |r| <= e^ε - 1 <= 2ε for ε <= 1
    const Ball relative = mul(Ball(2), simple->error, 64);
    return add(near, far.widened(mul(far, relative, o.bits)), o.bits).widened(cut.rest);
  };
  result.z = over({tail.exponent, std::nullopt, &context}, tail.exponent, o.scale.z);
  if (o.want_s) {
    // for the cut, |A| e^E = e^{E + log(-A)}
    const Expr bounding = end ? tail.exponent : tail.exponent + theory::log(-tail.in_ladder);
    result.s = over({tail.exponent, tail.in_ladder, &context}, bounding, o.scale.s);
  } else {
    result.s = Ball::unknown();
  }
  result.d = o.want_d ? over({with_n, std::nullopt, &context}, with_n, o.scale.d) : Ball::unknown();
  return result;
}

}  // namespace gpe::checks
