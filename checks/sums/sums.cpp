#include "checks/sums/sums.h"

#include <algorithm>
#include <functional>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"
#include "checks/sums/closed_form.h"
#include "checks/sums/family/exponential_power.h"
#include "checks/sums/general_sum.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/form_expr.h"
#include "theory/properties/property.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;
using theory::ScoreFunction;

namespace {

// Two-sided: every distance but 0 counts twice.
Moments doubled(const Moments& one, const ScoreFunction& law, const Expr& bias, long bits) {
  if (!law.two_sided) return one;
  Moments result{mul(one.z, Ball(2), bits), mul(one.s, Ball(2), bits), mul(one.d, Ball(2), bits)};
  if (law.first == 0) {
    const Ball a = evaluate(bias, {{theory::kIndex, Ball(0)}}, bits);
    const Ball w = exp(a, bits);
    result.z = sub(result.z, w, bits);
    result.s = sub(result.s, mul(a, w, bits), bits);
  }
  return result;
}

EnclosedNumber number(const Ball& value, int digits, const std::string& why_fewer) {
  EnclosedNumber result{Finite::yes, value, ""};
  if (value.relative_bits() < bits_of_digits(digits)) result.reason = why_fewer;
  return result;
}

Sums from_moments(const Moments& m, int digits, long bits, const std::string& method,
                  const std::string& why_fewer) {
  Sums result;
  result.method = method;
  result.z = number(m.z, digits, why_fewer);
  result.entropy = number(entropy_of(m, bits), digits, why_fewer);
  result.mean_distance = number(div(m.d, m.z, bits), digits, why_fewer);
  return result;
}

// A closed form loses digits where it subtracts: for a large beta, or a large first n.
bool has_digits(const Moments& m, WantedMoments wanted, long bits, int digits) {
  const long needed = bits_of_digits(digits) + 4;
  return m.z.relative_bits() >= needed && (!wanted.s || entropy_of(m, bits).relative_bits() >= needed) &&
         (!wanted.d || m.d.relative_bits() >= needed);
}

// A polylogarithm that family_sum encloses faster.
bool left_to_family(const Expr& score, long bits, const Context& context) {
  constexpr long kModerate = 1000;
  theory::Form offset;
  const auto family = exponential_power(score, offset, context);
  if (!family || family->delta.is_zero() || family->beta.is_zero()) return false;
  return bits >= kModerate || family->delta >= Rational(1, 10000);
}

// The entropy of that many tokens, which lies in [0, log N].
Ball entropy_of_tokens(const Moments& m, const Rational& tokens, long bits) {
  const Ball found = entropy_of(m, bits);
  const Ball most = log(Ball(tokens, bits), bits).upper(bits);
  if (!found.is_finite()) return Ball::hull(Ball(0), most, bits);
  const Ball low = found.lower(bits);
  const Ball high = found.upper(bits);
  if (low.surely_nonnegative() && high.surely_at_most(most)) return found;
  return Ball::hull(max(low, Ball(0), bits), min(high, most, bits), bits);
}

// By a closed form, with more bits while H = log Z - S/Z cancels because nearly all weight is on one n;
// nothing when there is none, or when even Z cancels.
std::optional<Sums> by_closed_form(const ScoreFunction& law, const Expr& score, WantedMoments wanted,
                                   int digits, const Context& facts) {
  const theory::Budget started = facts.budget().question();
  const long bits = working_bits(digits);
  if (left_to_family(score, bits, facts)) return std::nullopt;
  std::optional<Sums> result;
  for (long more = bits; more <= 64 * bits; more *= 2) {
    if (result && started.until(1, 8).is_over()) break;
    auto found = theory::attempt<theory::TimeUp>([&] { return closed_form(score, law.first, more, facts); });
    if (!found && result) break;
    const std::optional<ClosedForm> closed = std::move(found).or_raise();
    if (!closed) return std::nullopt;
    result = from_moments(doubled(closed->moments, law, law.bias, more), digits, more,
                          "closed form: " + closed->name, "the weight is nearly all on one n");
    if (has_digits(closed->moments, wanted, more, digits)) break;
  }
  if (result->z.value.relative_bits() < 8) return std::nullopt;
  return result;
}

// Whether a sum converges: yes, no with the reason, or not decided with the reason.
EnclosedNumber decided(const std::function<theory::SumDecision()>& decision, const std::string& name) {
  const auto answer = theory::attempt<theory::Undecided, theory::Undefined>(decision);
  if (!answer) return EnclosedNumber::unknown(answer.reason());
  if (answer->converges) return {Finite::yes, Ball::unknown(), ""};
  return EnclosedNumber::infinite(name + answer->reason);
}

// The limit of H_L where Z is infinite.
EnclosedNumber infinite_entropy(const Expr& score, const Context& context) {
  const auto growth = theory::attempt<theory::Undecided, theory::Undefined>(
      [&] { return theory::decide_entropy_growth(score, context); });
  if (!growth)
    return EnclosedNumber::unknown("Z is infinite, and whether H_L is bounded is not decided: " +
                                   growth.reason());
  return growth->bounded ? EnclosedNumber::unknown("Z is infinite and H_L is bounded: see its growth")
                         : EnclosedNumber::infinite("Z is infinite");
}

}  // namespace

EnclosedNumber entropy_beside_infinite_sum(const Expr& above, const Context& context) {
  const auto most = theory::attempt<theory::Undecided, theory::Undefined>(
      [&] { return theory::limsup(above, context).high; });
  if (most && most->kind != theory::Limit::Kind::plus_infinity)
    return EnclosedNumber::infinite("Z is infinite");
  return EnclosedNumber::unknown("Z is infinite, and H_L may be bounded, as scores are not bounded above");
}

Sums enclose_sums(const ScoreFunction& law, int digits, const Context& whole) {
  const Context context = whole.question();
  Sums result;
  const auto over = [&](const Expr& score, const std::optional<Rational>& last, WantedMoments wanted) {
    const GeneralSum sum = general_sum(score, law.first, last, wanted, digits, context);
    result =
        from_moments(doubled(sum.moments, law, law.bias, sum.bits), digits, sum.bits, sum.method, sum.reason);
    if (!sum.proved.s) result.entropy = {Finite::yes, Ball::unknown(), sum.reason};
    if (!sum.proved.d) result.mean_distance = {Finite::yes, Ball::unknown(), sum.reason};
  };
  const auto compute = [&] {
    // rewritten by what holds for every n summed, not only near infinity
    const Context facts = context_from(Rational(law.first), context);
    const Expr score = simplify_if_settled(law.bias, facts);
    if (law.window) {
      over(score, Rational(*law.last()), {true, true});
      return;
    }
    if (law.bias.mentions(theory::kLength))
      throw theory::Undecided("the score depends on L: see the partial sums");
    result.z = decided([&] { return theory::decide_sum(law.bias, context); }, "");
    if (result.z.finite == Finite::unknown) {
      result.entropy = result.mean_distance = EnclosedNumber::unknown(result.z.reason);
      return;
    }
    if (result.z.finite == Finite::no) {  // the keys up to any n lose their weight
      result.mean_distance = EnclosedNumber::infinite("Z is infinite");
      result.entropy = infinite_entropy(law.bias, context);
      return;
    }
    const EnclosedNumber s = result.entropy =
        decided([&] { return theory::decide_weighted_sum(law.bias, context); }, "sum |A| e^A diverges: ");
    const EnclosedNumber d = result.mean_distance =
        decided([&] { return theory::decide_sum(law.bias + log(Expr::symbol(theory::kIndex)), context); },
                "sum n e^A diverges: ");
    const WantedMoments wanted{s.finite == Finite::yes, d.finite == Finite::yes};
    if (const auto closed = by_closed_form(law, score, wanted, digits, facts)) {
      result = *closed;
    } else {
      over(score, std::nullopt, wanted);
    }
    if (s.finite != Finite::yes) result.entropy = s;
    if (d.finite != Finite::yes) result.mean_distance = d;
  };
  if (const auto done = attempt_all(compute); !done) {
    for (EnclosedNumber* one : {&result.z, &result.entropy, &result.mean_distance}) {
      if (!one->value.is_finite() && one->finite != Finite::no) one->reason = done.reason();
    }
  }
  return result;
}

PartialSum enclose_partial_sum(const ScoreFunction& law, const Rational& length, int digits,
                               const Context& whole) {
  const Context context = whole.question();
  PartialSum result{length, Ball::unknown(), Ball::unknown(), Ball::unknown(), "", ""};
  const auto compute = [&] {
    Rational last = Rational(law.first) + length;  // the index of the query, L in a formula
    const Expr bias = simplify_if_settled(substitute(law.bias, theory::kLength, Expr(last)),
                                          context_from(Rational(law.first), context));
    if (law.last()) last = std::min(last, Rational(*law.last()));
    const GeneralSum sum = general_sum(bias, law.first, last, {true, true}, digits, context);
    const Moments m = doubled(sum.moments, law, bias, sum.bits);
    result.method = sum.method;
    result.z = m.z;
    Rational tokens = last - Rational(law.first - 1);
    if (law.two_sided) tokens = tokens + tokens - Rational(law.first == 0 ? 1 : 0);
    result.entropy =
        entropy_of_tokens(sum.proved.s ? m : Moments{m.z, Ball::unknown(), m.d}, tokens, sum.bits);
    if (sum.proved.d) result.mean_distance = div(m.d, m.z, sum.bits);
  };
  if (const auto done = attempt_all(compute); !done) result.reason = done.reason();
  return result;
}

}  // namespace gpe::checks
