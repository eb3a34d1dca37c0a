#include "checks/sums.h"

#include <algorithm>

#include "checks/closed_form.h"
#include "checks/expr_ball.h"
#include "checks/tail_claims.h"
#include "theory/convergence.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Law;
using theory::Rational;

namespace {

constexpr std::int64_t kMostTerms = 4000000;
constexpr std::int64_t kDirectTerms = 20000;

// Two-sided: every distance but 0 counts twice.
Moments doubled(const Moments& one, const Law& law, long bits) {
  if (!law.two_sided) return one;
  Moments result{mul(one.z, Ball(2), bits), mul(one.s, Ball(2), bits), mul(one.d, Ball(2), bits)};
  if (law.first == 0) {
    const Ball a = evaluate(law.bias, {{theory::kIndex, Ball(0)}}, bits);
    const Ball w = exp(a, bits);
    result.z = sub(result.z, w, bits);
    result.s = sub(result.s, mul(a, w, bits), bits);
  }
  return result;
}

EnclosedNumber number(const Ball& value, int digits, const std::string& why_fewer) {
  EnclosedNumber result{Finite::yes, value, ""};
  if (value.relative_bits() < static_cast<long>(3.3 * digits)) result.reason = why_fewer;
  return result;
}

Sums from_moments(const Moments& m, const SumOptions& options, long bits, const std::string& method,
                  const std::string& why_fewer) {
  Sums result;
  result.method = method;
  result.z = number(m.z, options.digits, why_fewer);
  result.entropy = number(entropy_of(m, bits), options.digits, why_fewer);
  result.mean_distance = number(div(m.d, m.z, bits), options.digits, why_fewer);
  return result;
}

EnclosedNumber infinite(const std::string& reason) { return {Finite::no, Ball::unknown(), reason}; }

// Σ_{n>=N} e^score <= e^C·L_k(N - 1)^-eta/eta, from a ladder claim that holds from N on.
std::optional<Ball> tail_bound(const Expr& score, std::int64_t from, const Context& context) {
  const theory::SumDecision decision = theory::decide_sum(score, context);
  if (!decision.converges) return std::nullopt;
  const auto claim = prove_ladder(score, decision, context);
  if (!claim || !claim->threshold.first_integer || *claim->threshold.first_integer > Rational(from - 1)) {
    return std::nullopt;
  }
  const long bits = 64;
  Ball rung(from - 1);
  for (int k = 0; k < claim->level; ++k) rung = log(rung, bits);
  const Ball bound =
      exp(sub(Ball(claim->constant, bits), mul(Ball(claim->eta, bits), log(rung, bits), bits), bits), bits);
  return div(bound, Ball(claim->eta, bits), bits);
}

}  // namespace

Ball entropy_of(const Moments& moments, long bits) {
  return sub(log(moments.z, bits), div(moments.s, moments.z, bits), bits);
}

Moments sum_terms(const Expr& score, std::int64_t from, std::int64_t to, long bits, const Context& context) {
  Moments result;
  BallEvaluator evaluator{BallOperations(bits)};
  for (std::int64_t n = from; n <= to; ++n) {
    if (n % 256 == 0) context.check_time();
    evaluator.bind(theory::kIndex, Ball(n));
    const Ball a = evaluator(score);
    const Ball w = exp(a, bits);
    result.z = add(result.z, w, bits);
    result.s = add(result.s, mul(a, w, bits), bits);
    result.d = add(result.d, mul(Ball(n), w, bits), bits);
  }
  return result;
}

Sums enclose_sums(const Law& law, const SumOptions& options, const theory::ConstantOracle& oracle) {
  const long bits = bits_for(options.digits);
  Context context(oracle);
  context.set_deadline(Context::Clock::now() + options.time_limit);
  Sums result;
  try {
    const Expr score = simplify(law.bias, context);
    if (law.window) {
      if (*law.window > kMostTerms) throw theory::Undecided("a window of more than 4 million keys");
      const Moments m = sum_terms(score, law.first, *law.last(), bits, context);
      return from_moments(doubled(m, law, bits), options, bits, "sum of the window's terms", "");
    }
    if (law.depends_on_length()) throw theory::Undecided("the score depends on L: see the partial sums");
    const theory::SumDecision z = theory::decide_sum(law.bias, context);
    if (!z.converges) {
      result.z = infinite(z.reason);
      result.entropy = infinite("Z is infinite");
      result.mean_distance = infinite("Z is infinite");
      return result;
    }
    const theory::SumDecision s = theory::decide_weighted_sum(law.bias, context);
    const theory::SumDecision d = theory::decide_sum(law.bias + log(Expr::symbol(theory::kIndex)), context);
    if (const auto closed = closed_form(score, law.first, bits, context)) {
      result = from_moments(doubled(closed->moments, law, bits), options, bits,
                            "closed form: " + closed->name, "");
    } else {
      const std::int64_t last = law.first + kDirectTerms - 1;
      Moments m = sum_terms(score, law.first, last, bits, context);
      const auto add_tail = [&](Ball& sum, const Expr& exponent, int sign) {
        const auto bound = tail_bound(exponent, last + 1, context);
        if (!bound) {
          sum = Ball::unknown();
          return;
        }
        const Ball end = add(sum, sign > 0 ? *bound : neg(*bound), bits);
        sum = Ball::hull(sum, end, bits);
      };
      add_tail(m.z, law.bias, 1);
      if (s.converges) add_tail(m.s, law.bias + log(-law.bias), -1);
      if (d.converges) add_tail(m.d, law.bias + log(Expr::symbol(theory::kIndex)), 1);
      result = from_moments(doubled(m, law, bits), options, bits,
                            "sum of 20000 terms and a bound of the rest", "the bound of the terms left out");
    }
    if (!s.converges) result.entropy = infinite("sum |A| e^A diverges: " + s.reason);
    if (!d.converges) result.mean_distance = infinite("sum n e^A diverges: " + d.reason);
  } catch (const theory::Undecided& undecided) {
    for (EnclosedNumber* one : {&result.z, &result.entropy, &result.mean_distance}) {
      if (one->finite == Finite::unknown) one->reason = undecided.what();
    }
  }
  return result;
}

PartialSum enclose_partial_sum(const Law& law, const Rational& length, const SumOptions& options,
                               const theory::ConstantOracle& oracle) {
  const long bits = bits_for(options.digits);
  Context context(oracle);
  context.set_deadline(Context::Clock::now() + options.time_limit);
  PartialSum result{length, Ball::unknown(), Ball::unknown(), ""};
  const auto tokens = length.to_int64();
  if (!tokens || *tokens > kMostTerms) {
    result.reason = "more than 4 million terms";
    return result;
  }
  try {
    const Expr bias = substitute(law.bias, theory::kLength, Expr(length));
    std::int64_t last = law.first + *tokens;
    if (law.last()) last = std::min(last, *law.last());
    const Moments m = doubled(sum_terms(simplify(bias, context), law.first, last, bits, context), law, bits);
    result.z = m.z;
    result.entropy = entropy_of(m, bits);
  } catch (const theory::Undecided& undecided) {
    result.reason = undecided.what();
  } catch (const theory::EvaluationError& error) {
    result.reason = error.what();
  }
  return result;
}

}  // namespace gpe::checks
