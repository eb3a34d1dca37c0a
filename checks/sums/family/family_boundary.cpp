#include "checks/sums/family/family_boundary.h"
// Tests: tests/checks/sums/family_bounds_test.cpp
#include <bernoulli.h>

#include <cmath>

#include "checks/arb/precision.h"
#include "checks/arb/recurrence_row.h"
#include "checks/arb/result_of.h"

namespace gpe::checks {

using theory::Rational;

namespace {

// Taylor coefficients at x of f, v = f log(1 + x) and, with gamma, q = f/sqrt(x), p = q log(1 + x), all
// divided by f(x).
struct Coefficients {
  BallVector f, v, q, p;
  TermBits bits;
  double x;
  long count;
  Coefficients(double at, long size, bool with_v, bool with_q, long working_bits)
      : f(size),
        v(with_v ? size : 0),
        q(with_q ? size : 0),
        p(with_v && with_q ? size : 0),
        bits(working_bits, 0, size),
        x(at),
        count(size) {}

  // The bits for the coefficients k + 1. In the sum over j, c_j weighs w_j = j!/(2π)^j, and an error made at
  // k grows at most like ((1 + sqrt(2))/x)^(j - k): it counts at k itself or, as j!(2.42/(2πx))^j falls and
  // rises, at the end.
  long next(long k) {
    const auto weight = [](double j) { return bits_of_nats(std::lgamma(j + 1) - j * std::log(6.28)); };
    const double here = weight(static_cast<double>(k));
    const double rest = static_cast<double>(count - k);
    const double at_end = weight(static_cast<double>(count)) + rest * std::log2(2.42 / x);
    double size = log2_size(v.size() > 0 ? v.at(k) : f.at(k));
    if (q.size() > 0) size = std::max(size, log2_size(q.at(k)) + std::log2(x) / 2);
    return bits.next(size + std::max(here, at_end));
  }
};

void start(BallVector& sequence, const Ball& value) {
  if (sequence.size() > 0) arb_set(sequence.at(0), value.raw());
}

// (1 + x) f' = -(δ(1 + x) + β) f,  (1 + x) v' = -(δ(1 + x) + β) v + f.
void fill_without_root(Coefficients& c, const IntegerExponents& e, const Integer& x) {
  const Integer next = x + 1;
  RecurrenceRow own({-(e.d * next + e.b), -e.d}, {-e.q});
  const RecurrenceRow source({e.q});
  const Integer step = e.q * next;
  Integer divisor = step;
  for (long k = 0; k + 1 < c.count; ++k, own.advance(), divisor += step) {
    const long bits = c.next(k);
    own.apply(c.f.at(k + 1), c.f, k, bits);
    arb_div_fmpz(c.f.at(k + 1), c.f.at(k + 1), divisor.raw(), bits);
    if (c.v.size() == 0) continue;
    own.apply(c.v.at(k + 1), c.v, k, bits);
    source.add(c.v.at(k + 1), c.f, k, bits);
    arb_div_fmpz(c.v.at(k + 1), c.v.at(k + 1), divisor.raw(), bits);
  }
}

// With y = x + t, y(1 + y) = a + bt + t², a = x(1 + x), b = 1 + 2x:
//   2y(1 + y) f' = -(2δ y(1 + y) + 2βy) f           - γ y(1 + y) q        v: the same, + 2y f
//   2y(1 + y) q' = -(2δ y(1 + y) + 2βy + (1 + y)) q - γ (1 + y) f         p: the same, + 2y q
void fill_with_root(Coefficients& c, const IntegerExponents& e, const Integer& x) {
  const Integer next = x + 1;
  const Integer a = x * next;
  const Integer b = x + next;
  const Integer twice = e.q + e.q;
  const Integer head = Integer(2) * (e.d * a + e.b * x);
  const Integer second = Integer(2) * (e.d * b + e.b) - twice;
  const Integer third = -(e.d + e.d);
  const std::initializer_list<Integer> steps = {-(twice * b), -twice};
  RecurrenceRow f_own({-head, -second, third}, steps);
  RecurrenceRow q_own({-(head + e.q * next), -(second + e.q), third}, steps);
  const RecurrenceRow f_from_q({-(e.g * a), -(e.g * b), -e.g});
  const RecurrenceRow q_from_f({-(e.g * next), -e.g});
  const RecurrenceRow source({twice * x, twice});
  const Integer step = twice * a;
  Integer divisor = step;
  const auto derive = [&](BallVector& y, const RecurrenceRow& own, const RecurrenceRow& from,
                          const BallVector& other, const BallVector* log_source, long k, long bits) {
    arb_ptr next_term = y.at(k + 1);
    own.apply(next_term, y, k, bits);
    from.add(next_term, other, k, bits);
    if (log_source != nullptr) source.add(next_term, *log_source, k, bits);
    arb_div_fmpz(next_term, next_term, divisor.raw(), bits);
  };
  for (long k = 0; k + 1 < c.count; ++k, divisor += step) {
    const long bits = c.next(k);
    derive(c.f, f_own, f_from_q, c.q, nullptr, k, bits);
    derive(c.q, q_own, q_from_f, c.f, nullptr, k, bits);
    if (c.v.size() > 0) {
      derive(c.v, f_own, f_from_q, c.p, &c.f, k, bits);
      derive(c.p, q_own, q_from_f, c.v, &c.q, k, bits);
    }
    f_own.advance();
    q_own.advance();
  }
}

// B_{2k}/(2k) for k = 1, 2, …
BallVector bernoulli_weights(long count, const TermBits& bits, const theory::Context& context) {
  BallVector weights(count);
  for (long k = 1; k <= count; ++k) {
    context.check_time();
    const long enough = bits[2 * k - 1];
    arb_bernoulli_ui(weights.at(k - 1), static_cast<ulong>(2 * k), enough);
    arb_div_si(weights.at(k - 1), weights.at(k - 1), 2 * k, enough);
  }
  return weights;
}

}  // namespace

Moments family_boundary(const ExponentialPower& family, const Integer& x, long order, int sign, long bits,
                        WantedMoments wanted, const theory::Context& context) {
  const IntegerExponents e(family);
  const BallExponents a(family, bits);
  const bool with_v = wanted.s && family.beta.sign() > 0;
  const bool with_q = family.gamma.sign() > 0;
  const Ball root = sqrt(x.ball(), bits);
  Ball logarithm;
  arb_log1p(logarithm.raw(), x.ball().raw(), bits);
  Coefficients c(x.approximate(), order, with_v, with_q, bits);
  start(c.f, Ball(1));
  start(c.v, logarithm);
  if (with_q) {
    const Ball inverse = div(Ball(1), root, bits);
    start(c.q, inverse);
    start(c.p, mul(inverse, logarithm, bits));
    fill_with_root(c, e, x);
  } else {
    fill_without_root(c, e, x);
  }
  const BallVector weights = bernoulli_weights(order / 2, c.bits, context);
  // Σ_k B_{2k}/(2k) s_{2k-1}, and the same with s_{2k-2}
  const auto odd = [&](const BallVector& s, long shift) {
    return result_of<Ball>(arb_dot, nullptr, 0, weights.at(0), 1, s.at(1 - shift), 2, order / 2, bits);
  };
  const auto times_x = [&](const BallVector& s) {  // of x·s: x s_j + s_{j-1}
    return add(mul(x.ball(), odd(s, 0), bits), odd(s, 1), bits);
  };
  const auto whole = [&](const Ball& value, const Ball& sum) {  // value/2 ± sum
    const Ball half = div(value, Ball(2), bits);
    return sign > 0 ? add(half, sum, bits) : sub(half, sum, bits);
  };
  const Ball decay = a.decay(x.ball(), root);
  const Ball factor = exp(neg(decay), bits);
  Moments result;
  result.z = mul(factor, whole(Ball(1), odd(c.f, 0)), bits);
  const Ball distance = times_x(c.f);
  result.d = mul(factor, whole(x.ball(), distance), bits);
  if (!wanted.s) return result;
  Ball sum = mul(a.delta, distance, bits);
  if (with_v) sum = add(sum, mul(a.beta, odd(c.v, 0), bits), bits);
  if (with_q) sum = add(sum, mul(a.gamma, times_x(c.q), bits), bits);
  result.s = neg(mul(factor, whole(decay, sum), bits));
  return result;
}

FamilyDisc family_disc(const ExponentialPower& family, const Ball& x, const Rational& radius) {
  const BallExponents a(family, kBoundBits);
  const Ball rho(radius, kBoundBits);
  const Ball inner = mul(sub(Ball(1), rho, kBoundBits), x, kBoundBits);
  const Ball outer = mul(add(Ball(1), rho, kBoundBits), x, kBoundBits);
  Ball most = a.decay(outer, sqrt(outer, kBoundBits));
  const Ball quarter_turn = div(Ball::pi(kBoundBits), Ball(2), kBoundBits);
  arb_addmul(most.raw(), a.beta.raw(), quarter_turn.raw(), kBoundBits);
  return {exp(neg(a.decay(inner, sqrt(inner, kBoundBits))), kBoundBits), div(most, x, kBoundBits)};
}

Moments family_remainder(const ExponentialPower& family, const Integer& first, long order,
                         const Rational& radius) {
  const Ball rho(radius, kBoundBits);
  const Ball x = first.ball();
  const FamilyDisc disc = family_disc(family, x, radius);
  Ball factorial;
  arb_fac_ui(factorial.raw(), static_cast<ulong>(order), kBoundBits);
  const Ball turn = mul(Ball(2), mul(Ball::pi(kBoundBits), mul(rho, x, kBoundBits), kBoundBits), kBoundBits);
  const Ball lead = mul(mul(Ball(4), disc.size, kBoundBits),
                        div(factorial, power(turn, order, kBoundBits), kBoundBits), kBoundBits);
  const Ball line = mul(lead, x, kBoundBits);
  const Ball square = div(mul(line, x, kBoundBits), Ball(order - 2), kBoundBits);
  Moments result;
  result.z = div(line, Ball(order - 1), kBoundBits).upper(kBoundBits);
  result.s = mul(square, disc.slope, kBoundBits).upper(kBoundBits);
  result.d = mul(square, add(Ball(1), rho, kBoundBits), kBoundBits).upper(kBoundBits);
  return result;
}

Moments family_dropped_terms(const ExponentialPower& family, const Integer& end, long kept, long order,
                             const Rational& radius) {
  Moments result;
  if (kept >= order) return result;
  const Ball rho(radius, kBoundBits);
  const Ball x = end.ball();
  const FamilyDisc disc = family_disc(family, x, radius);
  const Ball reach = mul(rho, x, kBoundBits);
  const Ball turn = mul(Ball(2), mul(Ball::pi(kBoundBits), reach, kBoundBits), kBoundBits);
  const Ball ratio = power(div(Ball(order), turn, kBoundBits), 2, kBoundBits);
  if (!ratio.surely_less(Ball(1))) {
    result.z = result.s = result.d = Ball::unknown();
    return result;
  }
  Ball factorial;
  arb_fac_ui(factorial.raw(), static_cast<ulong>(kept + 1), kBoundBits);
  const Ball first_term = mul(mul(mul(Ball(4), disc.size, kBoundBits), reach, kBoundBits),
                              div(factorial, power(turn, kept + 2, kBoundBits), kBoundBits), kBoundBits);
  result.z = div(first_term, sub(Ball(1), ratio, kBoundBits), kBoundBits).upper(kBoundBits);
  const Ball line = mul(result.z, x, kBoundBits);
  result.s = mul(line, disc.slope, kBoundBits).upper(kBoundBits);
  result.d = mul(line, add(Ball(1), rho, kBoundBits), kBoundBits).upper(kBoundBits);
  return result;
}

}  // namespace gpe::checks
