#include "checks/frontier/trade_off.h"
// Tests: tests/checks/frontier/frontier_test.cpp
#include "checks/arb/precision.h"
#include "checks/content/effective_window.h"
#include "checks/content/local_range.h"
#include "checks/frontier/least_entropy.h"
#include "checks/halfline/block_search.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"
#include "checks/sums/family/exponential_power.h"
#include "checks/sums/general_sum.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

EnclosedNumber least_for(const theory::ScoreFunction& law, const BigCount& range, const Rational& threshold,
                         int digits, const Context& context) {
  if (range.kind == BigCount::Kind::unknown) return EnclosedNumber::unknown(range.reason);
  if (law.two_sided)
    return EnclosedNumber::unknown("the least entropy for a range is that of one-sided distances");
  if (!bias_is_a_penalty(law, context))
    return EnclosedNumber::unknown("not proved: b(first) = 0 and b(n) <= 0 for all n");
  switch (range.kind) {
    case BigCount::Kind::unbounded:
      return {Finite::no, Ball::unknown(), "infinitely many tokens within C1"};
    case BigCount::Kind::number: {
      Rational steps = range.number - Rational(law.first);
      return {Finite::yes, least_entropy(threshold, steps, working_bits(digits)).value, ""};
    }
    default:
      return EnclosedNumber::unknown("a range beyond 10^30");
  }
}

EnclosedNumber difference(const EnclosedNumber& entropy, const EnclosedNumber& least, int digits) {
  for (const EnclosedNumber* one : {&entropy, &least}) {
    if (one->finite == Finite::unknown) return EnclosedNumber::unknown(one->reason);
  }
  if (least.finite == Finite::no) return EnclosedNumber::unknown("both are infinite");
  if (entropy.finite == Finite::no) return entropy;
  if (!entropy.value.is_finite()) return EnclosedNumber::unknown(entropy.reason);
  return {Finite::yes, sub(entropy.value, least.value, working_bits(digits)), ""};
}

}  // namespace

bool bias_is_a_penalty(const theory::ScoreFunction& law, const Context& context) {
  const auto penalty = [&] {
    if (law.depends_on_length()) return false;
    const Rational first(law.first);
    const Expr bias = simplify(law.bias, context_from(first, context));
    const auto at = [&](const Rational& n) {
      return context.sign(to_form(substitute(bias, theory::kIndex, Expr(n)), context));
    };
    if (at(first) != 0) return false;
    Form offset;
    if (bias.is_number(0) || exponential_power(bias, offset, context)) return true;
    const long bits = 128;
    const Statement not_above{[&](const Range& n) {
                                const Range b = over_block(bias, n, bits, context.budget());
                                return b.defined && b.high.is_finite() && b.high.surely_at_most(Ball(0));
                              },
                              [&](const Rational& n) { return at(n) <= 0; },
                              [&](const Rational& low) { return surely_below(bias, 0, low, context); }};
    const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
    return first_failure(not_above, first, last, context).proved_everywhere;
  };
  return attempt_all(penalty).value_or(false);
}

EnclosedNumber weight_beyond(const theory::ScoreFunction& law, const Rational& distance, const Sums& sums,
                             int digits, const Context& whole) {
  if (distance < Rational(law.first)) return {Finite::yes, Ball(1), ""};
  if (sums.z.finite == Finite::unknown) return EnclosedNumber::unknown(sums.z.reason);
  if (sums.z.finite == Finite::no)
    return {Finite::yes, Ball(1), "Z is infinite: all weight leaves every finite distance as n grows"};
  if (!sums.z.value.is_finite()) return EnclosedNumber::unknown(sums.z.reason);
  if (law.last() && distance >= Rational(*law.last())) return {Finite::yes, Ball(0), ""};
  const auto compute = [&]() -> EnclosedNumber {
    const Context context = whole.question();
    const auto after = (distance + Rational(1)).to_int64();
    if (!after) return EnclosedNumber::unknown("the distance is beyond 2^63");
    const Expr bias = simplify(law.bias, context_from(Rational(law.first), context));
    const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
    const GeneralSum tail = general_sum(bias, *after, last, {false, false}, digits, context);
    const Ball both = law.two_sided ? mul(tail.moments.z, Ball(2), tail.bits) : tail.moments.z;
    return {Finite::yes, div(both, sums.z.value, tail.bits), tail.reason};
  };
  return theory::attempt(compute).or_else(EnclosedNumber::unknown);
}

TradeOff trade_off(const theory::ScoreFunction& law, const TradeOffOptions& options, const Context& context) {
  TradeOff result;
  result.sums = enclose_sums(law, options.digits, context);
  result.range = local_range(law, options.threshold, context).within;
  result.least = least_for(law, result.range, options.threshold, options.digits, context.question());
  result.excess = difference(result.sums.entropy, result.least, options.digits);
  result.window = effective_window(law, options.epsilon, options.content_bound, std::nullopt, context);
  result.beyond = weight_beyond(law, options.distance, result.sums, options.digits, context);
  return result;
}

}  // namespace gpe::checks
