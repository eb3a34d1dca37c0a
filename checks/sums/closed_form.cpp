#include "checks/sums/closed_form.h"

#include <acb_poly.h>

#include "checks/arb/expr_ball.h"
#include "checks/sums/terms.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Kernel;
using theory::Rational;
using theory::Term;

namespace {

constexpr std::int64_t kLargestPower = 10000;  // beyond, a few terms do, and zeta series take long

struct Shape {
  Form offset;
  Form delta;
  Form beta;
};

std::optional<Shape> shape_of(const Expr& score, const Context& context) {
  Shape shape;
  const Form log_of_next = context.log(Form(1) + Form::symbol(theory::kIndex));
  for (const Term& term : to_form(score, context).terms()) {
    const Form part = Form::of_terms({term});
    if (!part.mentions(theory::kIndex)) {
      shape.offset = shape.offset + part;
      continue;
    }
    const Form slope = part * Form::power(Kernel::symbol(theory::kIndex), -1);
    if (!slope.mentions(theory::kIndex)) {
      shape.delta = shape.delta - slope;
      continue;
    }
    const Form weight = part * theory::pow(log_of_next, Rational(-1), context.known());
    if (weight.mentions(theory::kIndex)) return std::nullopt;
    shape.beta = shape.beta - weight;
  }
  return shape;
}

struct ValueAndSlope {
  Ball value;
  Ball slope;
};

// A function's value and derivative at s: series(result, s + x) puts its power series in x there, up to x^1.
template <class Series>
ValueAndSlope at(const Ball& s, const Series& series) {
  acb_poly_t argument;
  acb_poly_t result;
  acb_t number;
  acb_poly_init(argument);
  acb_poly_init(result);
  acb_init(number);
  arb_set(acb_realref(number), s.raw());
  acb_poly_set_coeff_acb(argument, 0, number);
  acb_poly_set_coeff_si(argument, 1, 1);
  series(result, argument);
  ValueAndSlope found;
  acb_poly_get_coeff_acb(number, result, 0);
  arb_set(found.value.raw(), acb_realref(number));
  acb_poly_get_coeff_acb(number, result, 1);
  arb_set(found.slope.raw(), acb_realref(number));
  acb_clear(number);
  acb_poly_clear(result);
  acb_poly_clear(argument);
  return found;
}

// Σ_{k>=1} k^-s z^k and its derivative in s, for real 0 < z < 1, through the power series of the
// polylogarithm.
ValueAndSlope polylog(const Ball& s, const Ball& z, long bits) {
  return at(s, [&](acb_poly_t result, const acb_poly_t argument) {
    acb_t point;
    acb_init(point);
    arb_set(acb_realref(point), z.raw());
    acb_poly_polylog_series(result, argument, point, 2, bits);
    acb_clear(point);
  });
}

// Σ_{n>=first} (1 + n)^-s, the Hurwitz zeta function at first + 1, and its derivative in s.
ValueAndSlope zeta(const Ball& s, std::int64_t first, long bits) {
  return at(s, [&](acb_poly_t result, const acb_poly_t argument) {
    acb_t point;
    acb_init(point);
    acb_set_si(point, first);
    acb_add_si(point, point, 1, bits);
    acb_poly_zeta_series(result, argument, point, 0, 2, bits);
    acb_clear(point);
  });
}

// Σ_{n>=first} r^n, Σ n r^n with r = e^-delta.
Moments geometric(const Ball& delta, std::int64_t first, long bits) {
  const Ball r = exp(neg(delta), bits);
  Ball q;  // 1 - r without cancellation
  arb_expm1(q.raw(), neg(delta).raw(), bits);
  q = neg(q);
  const Ball lead = exp(neg(mul(delta, Ball(first), bits)), bits);
  Moments result;
  result.z = div(lead, q, bits);
  // Σ_{k>=0} (first + k) r^k = first/q + r/q²
  result.d = mul(result.z, add(Ball(first), div(r, q, bits), bits), bits);
  result.s = neg(mul(delta, result.d, bits));
  return result;
}

// What is left of sums from 0 on without the terms before `first`.
Moments without_head(const Moments& whole, const Expr& score, std::int64_t first, long bits,
                     const Context& context) {
  const Moments head = sum_terms(score, 0, first - 1, bits, context);
  return {sub(whole.z, head.z, bits), sub(whole.s, head.s, bits), sub(whole.d, head.d, bits)};
}

// Bits that the difference above cancels, about delta·first/log 2; nothing when that is too many.
std::optional<long> bits_lost(const Ball& delta, std::int64_t first) {
  constexpr std::int64_t most = 20000;
  if (first > most) return std::nullopt;
  const auto ends = mul(delta, Ball(first), 64).ends();
  if (!ends || ends->high > Rational(most)) return std::nullopt;
  return 64 + 3 * *ends->high.ceil().to_int64() / 2;
}

}  // namespace

std::optional<ClosedForm> closed_form(const Expr& score, std::int64_t first, long wanted_bits,
                                      const Context& context) {
  const auto shape = shape_of(score, context);
  if (!shape) return std::nullopt;
  long bits = wanted_bits;
  if (first > 0 && !shape->beta.is_zero() && !shape->delta.is_zero()) {
    const auto lost = bits_lost(evaluate(theory::to_expr(shape->delta), {}, 64), first);
    if (!lost) return std::nullopt;
    bits += *lost;
  }
  const auto ball = [&](const Form& form) { return evaluate(theory::to_expr(form), {}, bits); };
  const Ball delta = ball(shape->delta);
  const Ball beta = ball(shape->beta);
  ClosedForm result;
  if (shape->beta.is_zero()) {
    if (!delta.surely_positive()) return std::nullopt;
    result.name = "geometric series";
    result.moments = geometric(delta, first, bits);
  } else {
    Moments& m = result.moments;
    const Ball shifted = sub(beta, Ball(1), bits);
    if (shape->delta.is_zero()) {
      if (!shifted.surely_positive() || !beta.surely_less(Ball(kLargestPower))) return std::nullopt;
      result.name = "zeta function";
      const ValueAndSlope whole = zeta(beta, first, bits);
      m.z = whole.value;
      m.s = mul(beta, whole.slope, bits);
      const bool mean = sub(beta, Ball(2), bits).surely_positive();
      m.d = mean ? sub(zeta(shifted, first, bits).value, m.z, bits) : Ball::unknown();
    } else {
      if (!delta.surely_positive()) return std::nullopt;
      result.name = "polylogarithm";
      const Ball z = exp(neg(delta), bits);
      const Ball scale = exp(delta, bits);
      const ValueAndSlope whole = polylog(beta, z, bits);
      m.z = mul(scale, whole.value, bits);
      m.d = mul(scale, sub(polylog(shifted, z, bits).value, whole.value, bits), bits);
      m.s = sub(mul(mul(beta, scale, bits), whole.slope, bits), mul(delta, m.d, bits), bits);
      if (first > 0) m = without_head(m, score - theory::to_expr(shape->offset), first, bits, context);
    }
  }
  if (!shape->offset.is_zero()) {  // A + a: Z, D gain e^a; S gains a·Z too
    Moments& m = result.moments;
    const Ball offset = ball(shape->offset);
    const Ball factor = exp(offset, bits);
    m.s = mul(factor, add(m.s, mul(offset, m.z, bits), bits), bits);
    m.z = mul(factor, m.z, bits);
    m.d = mul(factor, m.d, bits);
  }
  return result;
}

}  // namespace gpe::checks
