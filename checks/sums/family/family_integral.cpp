#include "checks/sums/family/family_integral.h"
// Tests: tests/checks/sums/family_bounds_test.cpp
#include <cmath>

#include "checks/arb/precision.h"
#include "checks/arb/recurrence_row.h"
#include "checks/arb/result_of.h"
#include "checks/sums/family/family_tail.h"

namespace gpe::checks {

using theory::Rational;

namespace {

// Taylor coefficients at c of h and y, divided by h(c). With 1 + t² = a + bu + u², t = c + u:
//   (1 + t²) h' = -P h,  (1 + t²) y' = -P y + 2t h,  P = (2δt + γ)(1 + t²) + 2βt
struct Series {
  BallVector h;
  BallVector y;
  TermBits bits;
};

// @param reach  log2 of the largest |u|
Series series_at(const IntegerExponents& e, const Integer& c, long count, bool with_y, long bits,
                 double reach) {
  const Integer a = Integer(1) + c * c;
  const Integer b = c + c;
  const Integer twice_d = e.d + e.d;
  const Integer line = twice_d * c + e.g;
  const Integer twice_b = e.b + e.b;
  const Integer p0 = line * a + twice_b * c;
  const Integer p1 = twice_d * a + line * b + twice_b;
  const Integer p2 = line + twice_d * b;
  RecurrenceRow own({-p0, e.q - p1, -p2, -twice_d}, {-(e.q * b), -e.q});
  const RecurrenceRow source({Integer(2) * e.q * c, Integer(2) * e.q});
  const Integer step = e.q * a;
  Integer divisor = step;
  Series s{BallVector(count), BallVector(with_y ? count : 0), TermBits(bits, reach, count)};
  arb_one(s.h.at(0));
  if (with_y) arb_log(s.y.at(0), a.ball().raw(), bits);
  for (long k = 0; k + 1 < count; ++k, own.advance(), divisor += step) {
    const long enough = s.bits.next(log2_size(with_y ? s.y.at(k) : s.h.at(k)));
    own.apply(s.h.at(k + 1), s.h, k, enough);
    arb_div_fmpz(s.h.at(k + 1), s.h.at(k + 1), divisor.raw(), enough);
    if (!with_y) continue;
    own.apply(s.y.at(k + 1), s.y, k, enough);
    source.add(s.y.at(k + 1), s.h, k, enough);
    arb_div_fmpz(s.y.at(k + 1), s.y.at(k + 1), divisor.raw(), enough);
  }
  return s;
}

// The three integrands' coefficients from those of h and y: rows over h, and one over y for S.
struct Integrands {
  RecurrenceRow z, d, s, s_from_y;
  explicit Integrands(const IntegerExponents& e, const Integer& c)
      : z({c + c, 2}),                                                       // 2t = 2c + 2u
        d({Integer(2) * c * c * c, Integer(6) * c * c, Integer(6) * c, 2}),  // 2t³
        s({Integer(2) * (e.d * c + e.g) * c * c, (Integer(6) * e.d * c + Integer(4) * e.g) * c,
           Integer(6) * e.d * c + Integer(2) * e.g, Integer(2) * e.d}),  // Q·2t(δt² + γt)
        s_from_y({Integer(2) * e.b * c, Integer(2) * e.b}) {}            // Q·2tβ
};

// Σ_k coefficient_k·u^k/(k + 1) by Horner's scheme, over every `step`-th k.
template <class Coefficient, class Horner>
Ball add_up(const Series& s, long step, const Coefficient& coefficient, const Horner& horner) {
  Ball total;
  Ball term;
  const long last = s.h.size() - 1;
  for (long k = step == 2 ? last - last % 2 : last; k >= 0; k -= step) {
    const long bits = s.bits[k];
    coefficient(term.raw(), k, bits);
    arb_div_ui(term.raw(), term.raw(), static_cast<ulong>(k + 1), bits);
    horner(total.raw(), bits);
    arb_add(total.raw(), total.raw(), term.raw(), bits);
  }
  return total;
}

template <class Horner>
Moments integrals(const Series& s, const IntegerExponents& e, const Integer& c, long step,
                  WantedMoments wanted, const Horner& horner) {
  const Integrands rows(e, c);
  Moments result;
  result.z = add_up(
      s, step, [&](arb_ptr r, long k, long bits) { rows.z.apply(r, s.h, k, bits); }, horner);
  if (wanted.d) {
    result.d = add_up(
        s, step, [&](arb_ptr r, long k, long bits) { rows.d.apply(r, s.h, k, bits); }, horner);
  }
  if (wanted.s) {
    const auto both = [&](arb_ptr r, long k, long bits) {
      rows.s.apply(r, s.h, k, bits);
      if (s.y.size() > 0) rows.s_from_y.add(r, s.y, k, bits);
    };
    result.s = add_up(s, step, both, horner);
    arb_div_fmpz(result.s.raw(), result.s.raw(), e.q.raw(), s.bits[0]);
    arb_neg(result.s.raw(), result.s.raw());
  }
  return result;
}

// Everything was computed with h(c) = 1, and lacks the last factor of Horner's scheme.
Moments scaled(const Moments& m, const BallExponents& a, const Integer& c, const Ball& reach) {
  const Ball centre = c.ball();
  const Ball factor = mul(exp(neg(a.decay(mul(centre, centre, a.bits), centre)), a.bits), reach, a.bits);
  return {mul(m.z, factor, a.bits), mul(m.s, factor, a.bits), mul(m.d, factor, a.bits)};
}

// ∫ from c to c + reach.
Moments stub_integral(const ExponentialPower& family, const PanelShape& shape, const Ball& reach,
                      WantedMoments wanted) {
  const IntegerExponents e(family);
  const double length = std::log2(std::max(std::abs(reach.approximate()), 1e-300));
  const Series s =
      series_at(e, shape.centre, shape.terms, wanted.s && family.beta.sign() > 0, shape.bits, length);
  const auto horner = [&](arb_ptr total, long bits) { arb_mul(total, total, reach.raw(), bits); };
  const Moments sums = integrals(s, e, shape.centre, 1, wanted, horner);
  return widened(scaled(sums, BallExponents(family, shape.bits), shape.centre, reach),
                 panel_truncation(family, shape, abs(reach)));
}

// ∫ (1 + x)^s and log(1 + x)(1 + x)^s from M to N or ∞; J6.
struct PowerIntegral {
  Ball plain;
  Ball with_log;
};

PowerIntegral power_integral(const Rational& exponent, const Integer& start,
                             const std::optional<Integer>& end, long bits) {
  const Rational raised = exponent + Rational(1);
  const long near_zero =
      raised.is_zero() ? 0 : static_cast<long>(2 * std::abs(std::log2(std::abs(raised.approximate()))));
  const long working = bits + std::min<long>(near_zero, 100000) + 16;
  const auto at = [&](const Integer& x) -> PowerIntegral {
    Ball log_of_next;
    arb_log1p(log_of_next.raw(), x.ball().raw(), working);
    if (raised.is_zero()) {
      return {log_of_next, div(mul(log_of_next, log_of_next, working), Ball(2), working)};
    }
    const Ball a(raised, working);
    const Ball power = div(exp(mul(a, log_of_next, working), working), a, working);
    return {power, mul(power, sub(log_of_next, div(Ball(1), a, working), working), working)};
  };
  const PowerIntegral low = at(start);
  if (!end) return {neg(low.plain), neg(low.with_log)};
  const PowerIntegral high = at(*end);
  return {sub(high.plain, low.plain, bits), sub(high.with_log, low.with_log, bits)};
}

Moments logarithmic_integral(const ExponentialPower& family, const Integer& start,
                             const std::optional<Integer>& end, long bits, WantedMoments wanted) {
  const PowerIntegral f = power_integral(-family.beta, start, end, bits);
  Moments result;
  result.z = f.plain;
  result.s = neg(mul(Ball(family.beta, bits), f.with_log, bits));
  if (wanted.d)
    result.d = sub(power_integral(Rational(1) - family.beta, start, end, bits).plain, f.plain, bits);
  return result;
}

Integer root_floor(const Integer& x) { return result_of<Integer>(fmpz_sqrt, x.raw()); }

}  // namespace

Moments panel_size(const ExponentialPower& family, const Integer& centre, int disc) {
  const BallExponents a(family, kBoundBits);
  const Ball c = centre.ball();
  const Ball theta(Rational(disc, 100), kBoundBits);
  const Ball rest = sub(Ball(1), theta, kBoundBits);
  const Ball radius = mul(theta, c, kBoundBits);
  const Ball b = add(c, radius, kBoundBits);
  const Ball square = mul(b, b, kBoundBits);
  const Ball centre_square = mul(c, c, kBoundBits);
  // Re t² >= κc², Re t >= (1 - θ)c, |1 + t²| >= near²
  const Ball kappa = disc >= 50
                         ? sub(Ball(Rational(1, 2), kBoundBits), mul(theta, theta, kBoundBits), kBoundBits)
                         : mul(rest, rest, kBoundBits);
  const Ball near = sub(sqrt(add(centre_square, Ball(1), kBoundBits), kBoundBits), radius, kBoundBits);
  const Ball log_near = mul(Ball(2), log(near, kBoundBits), kBoundBits);
  Ball exponent = mul(a.delta, mul(kappa, centre_square, kBoundBits), kBoundBits);
  exponent = add(exponent, mul(a.gamma, mul(rest, c, kBoundBits), kBoundBits), kBoundBits);
  exponent = add(exponent, mul(a.beta, log_near, kBoundBits), kBoundBits);
  const Ball largest = mul(mul(Ball(2), b, kBoundBits), exp(neg(exponent), kBoundBits), kBoundBits);
  // |log(1 + t²)| <= max(log(1 + b²), -log near²) + π
  const Ball log_size =
      add(max(log1p(square, kBoundBits), neg(log_near), kBoundBits), Ball::pi(kBoundBits), kBoundBits);
  Ball decay = mul(a.delta, square, kBoundBits);
  decay = add(decay, mul(a.gamma, b, kBoundBits), kBoundBits);
  decay = add(decay, mul(a.beta, log_size, kBoundBits), kBoundBits);
  return {largest.upper(kBoundBits), mul(largest, decay, kBoundBits).upper(kBoundBits),
          mul(largest, square, kBoundBits).upper(kBoundBits)};
}

Moments panel_truncation(const ExponentialPower& family, const PanelShape& shape, const Ball& reach) {
  const Ball theta(Rational(shape.disc, 100), kBoundBits);
  const Ball ratio = div(reach, mul(theta, shape.centre.ball(), kBoundBits), kBoundBits);
  if (!ratio.surely_less(Ball(1))) return {Ball::unknown(), Ball::unknown(), Ball::unknown()};
  const Ball geometric =
      div(mul(mul(Ball(2), reach, kBoundBits), power(ratio, shape.terms, kBoundBits), kBoundBits),
          mul(Ball(shape.terms + 1), sub(Ball(1), ratio, kBoundBits), kBoundBits), kBoundBits);
  const Moments size = panel_size(family, shape.centre, shape.disc);
  return {mul(size.z, geometric, kBoundBits).upper(kBoundBits),
          mul(size.s, geometric, kBoundBits).upper(kBoundBits),
          mul(size.d, geometric, kBoundBits).upper(kBoundBits)};
}

Moments panel_integral(const ExponentialPower& family, const PanelShape& shape, WantedMoments wanted) {
  const IntegerExponents e(family);
  const double length = std::log2(shape.half.approximate());
  const Series s =
      series_at(e, shape.centre, shape.terms, wanted.s && family.beta.sign() > 0, shape.bits, length);
  const Integer square = shape.half * shape.half;
  const auto horner = [&](arb_ptr total, long bits) { arb_mul_fmpz(total, total, square.raw(), bits); };
  const Moments sums = integrals(s, e, shape.centre, 2, wanted, horner);
  const Ball reach = shape.half.ball();
  return widened(
      scaled(sums, BallExponents(family, shape.bits), shape.centre, (shape.half + shape.half).ball()),
      panel_truncation(family, shape, reach));
}

Moments family_integral(const ExponentialPower& family, const Integer& start,
                        const std::optional<Integer>& end, double cut, const FamilyAim& aim,
                        const theory::Context& context) {
  const long bits = aim.bits();
  if (family.delta.is_zero() && family.gamma.is_zero()) {
    return logarithmic_integral(family, start, end, bits, aim.wanted);
  }
  const ApproximateExponents f(family);
  Moments total;
  const Ball from = sqrt(start.ball(), bits);
  Integer left = root_floor(start);
  if (!(left * left == start)) {
    left += 1;
    const Ball reach = sub(from, left.ball(), bits);
    const PanelShape stub = choose_stub(f, aim, left, 1);
    const Moments part = stub_integral(family, stub, reach, aim.wanted);  // from `left` back to sqrt(M)
    total = {neg(part.z), neg(part.s), neg(part.d)};
  }
  const Integer right = end ? root_floor(*end) : Integer::floor(std::ceil(cut));
  while (left < right && !(end && left + 1 == right)) {
    context.check_time();
    const PanelShape shape = choose_panel(f, aim, left, right);
    total = plus(total, panel_integral(family, shape, aim.wanted), bits);
    left = shape.centre + shape.half;
  }
  if (!end) {
    const Ball root = left.ball();
    return widened(total, tail_of_integral(family, mul(root, root, kBoundBits), root));
  }
  const Ball reach = sub(sqrt(end->ball(), bits), left.ball(), bits);
  if (!reach.surely_zero()) {
    const PanelShape stub = choose_stub(f, aim, left, 2);
    total = plus(total, stub_integral(family, stub, reach, aim.wanted), bits);
  }
  return total;
}

}  // namespace gpe::checks
