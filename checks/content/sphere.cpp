#include "checks/content/sphere.h"
// Tests: tests/checks/content/content_laws_test.cpp
#include <acb_hypgeom.h>
#include <arb_hypgeom.h>

#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/arb/result_of.h"
#include "checks/content/last_distance.h"
#include "checks/halfline/half_line.h"
#include "checks/sums/general_sum.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"
#include "theory/score/sphere_law.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

Ball confluent(const Rational& a, const Ball& z, long bits) {  // 0F1(; a; z)
  return result_of<Ball>(arb_hypgeom_0f1, Ball(a, bits).raw(), z.raw(), 0, bits);
}

Ball quarter_square(const Ball& u, long bits) { return div(mul(u, u, bits), Ball(4), bits); }

// What is added for one n: e^b M, e^b (b M + u M'), n e^b M.
Moments term(const Ball& b, const Ball& u, const Ball& n, std::int64_t d, long bits) {
  const Ball w = exp(b, bits);
  const Ball m = sphere_mgf(u, d, bits);
  const Ball z = mul(w, m, bits);
  const Ball drift = mul(w, mul(u, sphere_mgf_slope(u, d, bits), bits), bits);
  return {z, add(mul(b, z, bits), drift, bits), mul(n, z, bits)};
}

void require_orthogonal(const theory::ScoreFunction& law) {
  if (law.softcap) throw theory::Undecided("no closed law of the sphere under a soft cap");
  if (law.transform == theory::Transform::hyperbolic || law.transform == theory::Transform::scaled_rotation) {
    throw theory::Undecided("no closed law of the sphere when the blocks of W differ in size");
  }
}

void require_key(const theory::ScoreFunction& law, const Rational& n) {
  if (law.depends_on_length()) throw theory::Undecided("the score depends on L");
  if (n < Rational(law.first) || (law.last() && n > Rational(*law.last())))
    throw theory::Undecided("no key is seen at this distance");
}

Sums from(const Moments& m, const std::string& method, int digits, long bits) {
  const auto number = [&](const Ball& value) {
    EnclosedNumber result{Finite::yes, value, ""};
    if (value.relative_bits() < bits_of_digits(digits)) result.reason = "the bound of the series cut";
    return result;
  };
  return {number(m.z), number(entropy_of(m, bits)), number(div(m.d, m.z, bits)), method};
}

// Head and series of a gain that falls.
Moments falling_gain(const Expr& bias, const Expr& gain, std::int64_t first,
                     const std::optional<Rational>& last, std::int64_t d, const Rational& scale,
                     WantedMoments wanted, int digits, const Context& context) {
  const long bits = working_bits(digits) + 32;
  std::int64_t start = first + 32;
  const Expr slope = simplify(theory::derivative(gain, theory::kIndex), context);
  while (!surely_below(slope, Rational(0), Rational(start), context) ||
         !surely_below(bias, Rational(0), Rational(start), context)) {
    context.check_time();
    start *= 2;
    if (start > 65536) throw theory::Undecided("bias or gain is not proved to fall with distance");
  }
  Moments sum;
  const std::int64_t head_end = last ? std::min(start - 1, last->to_int64().value_or(start - 1)) : start - 1;
  for (std::int64_t n = first; n <= head_end; ++n) {
    const Ball at(n);
    const Ball b = evaluate(bias, {{theory::kIndex, at}}, bits);
    const Ball u = mul(evaluate(gain, {{theory::kIndex, at}}, bits), Ball(scale, bits), bits);
    sum = plus(sum, term(b, u, at, d, bits), bits);
  }
  if (last && Rational(start) > *last) return sum;
  const Ball u =
      mul(evaluate(gain, {{theory::kIndex, Ball(start)}}, bits), Ball(scale, bits), bits).upper(bits);
  const Ball u2 = mul(u, u, bits);
  Moments base;
  for (std::int64_t k = 0;; ++k) {
    context.check_time();
    const Ball coefficient = mul(Ball(theory::sphere_mgf_coefficient(d, k), bits),
                                 pow(Ball(scale, bits), Rational(2 * k), bits), bits);
    const Ball largest =
        mul(Ball(theory::sphere_mgf_coefficient(d, k), bits), pow(u2, Rational(k), bits), bits);
    const Ball q = div(u2, Ball(Rational(4 * (k + 1)) * (Rational(d, 2) + Rational(k)), bits), bits);
    if (k > 0 && q.surely_less(Ball(Rational(1, 4), 64))) {
      Ball wanted_size(1);
      arb_mul_2exp_si(wanted_size.raw(), wanted_size.raw(), -bits_of_digits(digits) - 8);
      if (mul(largest, Ball(2 * k + 2), bits).surely_less(wanted_size)) {
        const Ball rest = div(largest, sub(Ball(1), q, bits), bits);
        const Ball drift =
            div(mul(Ball(2 * k), largest, bits), sub(Ball(1), mul(Ball(2), q, bits), bits), bits);
        Moments error{mul(rest, base.z, bits),
                      add(mul(rest, abs(base.s), bits), mul(drift, base.z, bits), bits),
                      mul(rest, abs(base.d), bits)};
        return widened(sum, error);
      }
    }
    const Expr power = bias + Expr(2 * k) * theory::log(gain);
    const GeneralSum one =
        general_sum(simplify(power, context), start, last, {false, wanted.d}, digits, context);
    const GeneralSum negative = general_sum(simplify(power + theory::log(-bias), context), start, last,
                                            {false, false}, digits, context);
    const Moments exact{one.moments.z, neg(negative.moments.z), wanted.d ? one.moments.d : Ball::unknown()};
    if (k == 0) base = exact;
    sum.z = add(sum.z, mul(coefficient, exact.z, bits), bits);
    sum.s = add(sum.s, mul(coefficient, add(exact.s, mul(Ball(2 * k), exact.z, bits), bits), bits), bits);
    sum.d = add(sum.d, mul(coefficient, exact.d, bits), bits);
  }
}

}  // namespace

Ball sphere_mgf(const Ball& u, std::int64_t d, long bits) {
  return confluent(Rational(d, 2), quarter_square(u, bits), bits);
}

Ball sphere_mgf_slope(const Ball& u, std::int64_t d, long bits) {
  return mul(div(u, Ball(d), bits), confluent(Rational(d, 2) + Rational(1), quarter_square(u, bits), bits),
             bits);
}

Ball sphere_tail(const Ball& t, std::int64_t d, long bits) {
  const auto inside = [&](const Ball& at) {
    const Ball x = sub(Ball(1), mul(at, at, bits), bits);
    return result_of<Ball>(arb_hypgeom_beta_lower, Ball(Rational(d - 1, 2), bits).raw(),
                           Ball(Rational(1, 2), bits).raw(), x.raw(), 1, bits);
  };
  if (Ball(0).surely_less(t) && t.surely_less(Ball(1))) return inside(t);
  if (!t.is_finite()) return Ball::hull(Ball(0), Ball(1), bits);
  const auto at_end = [&](const Ball& end) {  // an exact number
    if (end.surely_at_most(Ball(0))) return Ball(1);
    return end.surely_less(Ball(1)) ? inside(end) : Ball(0);
  };
  return Ball::hull(at_end(t.lower(bits)), at_end(t.upper(bits)), bits);  // it falls in t
}

Ball probability_at_least(const theory::ScoreFunction& law, const Rational& scale, const Rational& n,
                          const Rational& c1, long bits, const Context& context) {
  require_orthogonal(law);
  require_key(law, n);
  const auto at = [&](const Expr& e) {
    return evaluate(to_expr(to_form(substitute(e, theory::kIndex, Expr(n)), context)), {}, bits);
  };
  const Ball needed = sub(Ball(c1, bits), at(law.bias), bits);
  const Ball spread = at(theory::amplitude(law, Expr(scale)));
  if (spread.surely_zero()) {  // exactly: the gap may be below the precision
    const Expr gap = Expr(c1) - substitute(law.bias, theory::kIndex, Expr(n));
    return Ball(context.sign(to_form(gap, context)) > 0 ? 0 : 1);
  }
  const Ball t = div(needed, spread, bits);
  if (Ball(1).surely_less(t)) return Ball(0);
  if (t.surely_less(Ball(-1))) return Ball(1);
  const Ball half = div(sphere_tail(abs(t), law.head_dim, bits), Ball(2), bits);
  if (t.surely_nonnegative()) return half;
  if (t.surely_negative()) return sub(Ball(1), half, bits);
  return Ball::hull(half, sub(Ball(1), half, bits), bits);
}

Ball deviation_at(const theory::ScoreFunction& law, const Rational& scale, const Rational& n, long bits) {
  require_key(law, n);
  return sqrt(
      evaluate(substitute(theory::sphere_variance(law, Expr(scale)), theory::kIndex, Expr(n)), {}, bits),
      bits);
}

Sums sphere_sums(const theory::ScoreFunction& law, const Rational& scale,
                 const std::optional<Rational>& length, int digits, const Context& whole) {
  const long bits = working_bits(digits) + 32;
  const Context context = whole.question();
  Sums result;
  const auto compute = [&]() -> Sums {
    require_orthogonal(law);
    if (law.two_sided) throw theory::Undecided("sphere sums are of causal laws");
    const auto closed = [&](const Expr& e) { return simplify(at_length(e, law, length), context); };
    const Expr bias = closed(law.bias);
    const Expr gain = closed(theory::amplitude(law, Expr(1)));
    if (!length && law.depends_on_length()) throw theory::Undecided("the score depends on L: see lengths");
    if (!gain.mentions(theory::kIndex)) {  // one factor for all n
      const Ball u = mul(evaluate(gain, {}, bits), Ball(scale, bits), bits);
      const Ball m = sphere_mgf(u, law.head_dim, bits);
      const Ball drift = mul(u, sphere_mgf_slope(u, law.head_dim, bits), bits);
      Sums base;
      if (length) {
        const PartialSum partial = enclose_partial_sum(law, *length, digits, context);
        if (!partial.reason.empty()) throw theory::Undecided(partial.reason);
        base.z = {Finite::yes, partial.z, ""};
        base.entropy = {Finite::yes, partial.entropy, ""};
        base.mean_distance = {Finite::yes, partial.mean_distance, ""};
        base.method = partial.method;
      } else {
        base = enclose_sums(law, digits, context);
      }
      // log(M Z) - (M S + u M' Z)/(M Z) = H + log M - u M'/M
      if (base.z.finite == Finite::yes) base.z.value = mul(base.z.value, m, bits);
      if (base.entropy.finite == Finite::yes) {
        base.entropy.value = add(base.entropy.value, sub(log(m, bits), div(drift, m, bits), bits), bits);
      }
      return base;
    }
    const std::optional<Rational> last = last_distance(law, length);
    WantedMoments wanted{true, true};
    if (!last) {
      const theory::SumDecision z = theory::decide_sum(bias, context);
      if (!z.converges) {
        result.z = result.mean_distance = {Finite::no, Ball::unknown(), z.reason};
        result.entropy = entropy_beside_infinite_sum(bias + gain * Expr(scale), context);
        return result;
      }
      wanted.s = theory::decide_weighted_sum(bias, context).converges;
      wanted.d = theory::decide_sum(bias + log(Expr::symbol(theory::kIndex)), context).converges;
      if (!wanted.s) throw theory::Undecided("the entropy without content is infinite");
    }
    const Moments m = falling_gain(bias, gain, law.first, last, law.head_dim, scale, wanted, digits, context);
    result = from(m, "series in the gain", digits, bits);
    if (!wanted.d) result.mean_distance = {Finite::no, Ball::unknown(), "sum n e^A diverges"};
    return result;
  };
  const auto found = theory::attempt(compute);
  if (found) return *found;
  for (EnclosedNumber* one : {&result.z, &result.entropy, &result.mean_distance}) {
    if (one->finite == Finite::unknown) one->reason = found.reason();
  }
  return result;
}

}  // namespace gpe::checks
