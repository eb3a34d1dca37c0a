#include "checks/content/local_range.h"

#include "checks/arb/precision.h"
#include "checks/halfline/block_search.h"
#include "checks/halfline/count_search.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/monotone_tail.h"
#include "checks/halfline/or_undecided.h"
#include "checks/halfline/pieces.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Rational;

namespace {

constexpr std::int64_t kFirstDoubling = 99;  // 2^99 < 10^30 < 2^100
constexpr std::int64_t kMaxDoublings = std::int64_t{1} << 40;
constexpr std::int64_t kParts = 4096;  // log2 of the first failure is bracketed between multiples of 1/4096

Ball power_of_two(const Rational& exponent) {
  return exp(mul(Ball(exponent, kSearchBits), log(Ball(2), kSearchBits), kSearchBits), kSearchBits);
}

// A block that contains the reals [2^low, 2^high].
Range powers_of_two(const Rational& low, const Rational& high) {
  return {power_of_two(low).lower(kSearchBits), power_of_two(high).upper(kSearchBits), true};
}

// A block that contains an integer a little above 2^exponent.
Range just_above(const Rational& exponent) {
  const Ball low = power_of_two(exponent).lower(kSearchBits);
  return {low, add(low, Ball(1), kSearchBits).upper(kSearchBits), true};
}

// log10 of the first failure when it lies beyond 2^100: the statement holds on [2^i, 2^(i+1)] from 2^99 up to
// some x, found by halving steps, and is refuted at an integer above 2^y, y as little above x as it can be.
// @pre it holds below 2^99
std::optional<Ball> log10_of_failure(const std::function<bool(const Range&)>& holds_on,
                                     const std::function<bool(const Range&)>& fails_on,
                                     const Context& context) {
  const Rational least(1, kParts);
  const Rational two(2);
  Rational good(kFirstDoubling + 1);
  const auto holds_to = [&](const Rational& high) {
    context.check_time();
    return holds_on(powers_of_two(good, high));
  };
  if (!holds_on(powers_of_two(Rational(kFirstDoubling), good))) return std::nullopt;
  Rational step(1);
  while (good + step < Rational(kMaxDoublings) && holds_to(good + step)) {
    good += step;
    step *= two;
  }
  for (; step >= least; step /= two) {
    if (holds_to(good + step)) good += step;
  }
  for (step = least; !fails_on(just_above(good + step)); step *= two) {
    if (step > two) return std::nullopt;
  }
  const Ball log10_2 = div(log(Ball(2), kSearchBits), log(Ball(10), kSearchBits), kSearchBits);
  const Rational bad = good + step + two.pow(-90);  // the integer is above the power, and near it
  return Ball::hull(mul(Ball(good, kSearchBits), log10_2, kSearchBits),
                    mul(Ball(bad, kSearchBits), log10_2, kSearchBits), kSearchBits);
}

BigCount count_before(const SearchResult& search, const Rational& first,
                      const std::optional<Rational>& last) {
  if (search.fails_at) {
    return *search.fails_at == first ? BigCount::none() : BigCount::of(*search.fails_at - Rational(1));
  }
  if (search.proved_everywhere) return last ? BigCount::of(*last) : BigCount::unbounded();
  return BigCount::unknown("settled only below n = " + search.checked_below.str());
}

}  // namespace

LocalRange local_range(const theory::ScoreFunction& open, const Rational& threshold, const Context& whole) {
  const theory::ScoreFunction law = at_values(open);
  if (law.bias.mentions(theory::kLength)) {
    const BigCount unknown = BigCount::unknown("the bias depends on L");
    return {unknown, unknown};
  }
  const Context context = whole.question();
  const Expr bias = simplify_if_settled(law.bias, context);
  const long bits = kSearchBits;
  const Ball c1(threshold, bits);
  const auto gap_at = [&](const Rational& n) {  // sign of |b(n)| - C1, exactly
    const Form b = to_form(substitute(bias, theory::kIndex, Expr(n)), context);
    const Form size = context.sign(b) < 0 ? -b : b;
    return context.sign(size - Form(threshold));
  };
  const auto size_on = [&](const Range& n) {
    return RangeOperations(bits).call(theory::Function::abs, {over_block(bias, n, bits, context.budget())});
  };
  const Rational first(law.first);
  const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
  const auto search = [&](const Statement& statement, const std::function<bool(const Range&)>& fails_on) {
    const auto find = [&] {
      const SearchResult result = first_failure(statement, first, last, context);
      const BigCount count = count_before(result, first, last);
      if (count.kind != BigCount::Kind::unknown || result.checked_below < Rational(2).pow(kFirstDoubling))
        return count;
      const auto bracket = log10_of_failure(statement.holds_on, fails_on, context);
      return bracket ? power_of_ten(*bracket) : count;
    };
    return attempt_all(find).or_else(BigCount::unknown);
  };
  const auto above = [&](const Range& n) { return c1.surely_less(size_on(n).low); };
  const auto below = [&](const Range& n) {
    const Range size = size_on(n);
    return size.high.is_finite() && size.high.surely_less(c1);
  };
  std::optional<MonotoneTail> settled;
  const auto stays_below = [&](int sign, const Rational& bound, const Rational& low) {
    if (surely_below(sign > 0 ? bias : -bias, bound, low, context)) return true;
    if (!has_choices(bias)) return false;
    if (!settled)  // without floors and minima for n >= from
      settled = attempt_all([&] { return monotone_tail(bias, law.first, context); }).value_or({bias, 0});
    return Rational(settled->from) <= low &&
           surely_below(sign > 0 ? settled->score : -settled->score, bound, low, context);
  };
  LocalRange result;
  const Statement within{
      [&](const Range& n) {
        const Range size = size_on(n);
        return size.defined && size.high.is_finite() && size.high.surely_at_most(c1);
      },
      [&](const Rational& n) { return gap_at(n) <= 0; },
      [&](const Rational& low) { return stays_below(1, threshold, low) && stays_below(-1, threshold, low); }};
  result.within = search(within, above);
  const Statement literal{[&](const Range& n) {
                            const Range size = size_on(n);
                            return size.defined && c1.surely_at_most(size.low);
                          },
                          [&](const Rational& n) { return gap_at(n) >= 0; },
                          [&](const Rational& low) {
                            return stays_below(1, -threshold, low) || stays_below(-1, -threshold, low);
                          }};
  result.literal = search(literal, below);
  return result;
}

}  // namespace gpe::checks
