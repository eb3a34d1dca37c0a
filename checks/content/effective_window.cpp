#include "checks/content/effective_window.h"

#include <algorithm>

#include "checks/content/family_window.h"
#include "checks/content/last_distance.h"
#include "checks/halfline/count_search.h"
#include "checks/halfline/or_undecided.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/decision.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

// Digits used for comparisons; more when two numbers are too close.
constexpr int kDigits[] = {18, 40, 100};

// Σ over the tokens beyond W at their highest, and up to W at their lowest.
struct Split {
  Ball beyond;
  Ball kept;
};

Split split_at(ScoreIntervals& box, const Rational& w) {
  const long bits = box.bits();
  Split result{Ball(0), Ball(0)};
  for (const Token& token : box.head()) {
    Ball& side = token.n > w ? result.beyond : result.kept;
    side = add(side, mul(Ball(token.copies), exp(token.n > w ? token.high : token.low, bits), bits), bits);
  }
  if (!box.has_tail()) return result;
  for (int i = 0; i < box.copies(); ++i) {
    result.beyond = add(result.beyond, box.high().beyond(w).z, bits);
    result.kept = add(result.kept, box.low().up_to(w).z, bits);
  }
  return result;
}

bool surely(const Ball& difference) {  // whether difference > 0; throws when its sign is not proved
  if (difference.surely_positive()) return true;
  if (difference.surely_negative()) return false;
  throw theory::Undecided("two numbers too close to be told apart");
}

// Runs with more digits while comparisons are not settled.
template <class Answer, class Find>
Answer with_enough_digits(const SumOptions& options, const Find& find) {
  const auto deadline = Context::Clock::now() + options.time_limit;
  std::string reason;
  for (const int digits : kDigits) {
    const auto found = attempt_all([&]() -> Answer { return find(digits, deadline); });
    if (found) return *found;
    reason = found.reason();
    if (reason.find("too close") == std::string::npos) break;
  }
  return Answer(BigCount::unknown(reason));
}

bool infinitely_many(const theory::ScoreFunction& law, const std::optional<Rational>& length) {
  return !length && !law.window;
}

}  // namespace

BigCount effective_window(const theory::ScoreFunction& law, const Rational& epsilon, const Rational& bound,
                          const std::optional<Rational>& length, const SumOptions& options,
                          const theory::ConstantOracle& oracle) {
  return with_enough_digits<BigCount>(options, [&](int digits, Context::Clock::time_point deadline) {
    Context context(oracle);
    context.set_deadline(deadline);
    if (infinitely_many(law, length)) {
      if (law.depends_on_length()) throw theory::Undecided("the score depends on L: see lengths");
      if (!theory::decide_sum(theory::score_above(law, Expr(bound)), context).converges)
        return BigCount::none();
      if (const auto window = family_window(law, epsilon, bound, context)) return *window;
    }
    ScoreIntervals box = ScoreIntervals::of(law, bound, length, Wants::sums, digits, oracle, deadline);
    const Ball one_less(Rational(1) - epsilon, box.bits());
    const auto too_small = [&](const Rational& w) {  // (1 - ε) U > ε l
      const Split parts = split_at(box, w);
      return surely(sub(mul(one_less, parts.beyond, box.bits()),
                        mul(Ball(epsilon, box.bits()), parts.kept, box.bits()), box.bits()));
    };
    const std::optional<Rational> last = last_distance(law, length);
    const std::optional<Rational> before = last ? std::optional(*last - Rational(1)) : std::nullopt;
    const Rational first(law.first);
    if (before && *before < first) return BigCount::of(first);  // a single token
    const BigCount below = last_holding(too_small, first, before, context);
    if (below.kind == BigCount::Kind::none) return BigCount::of(first);
    if (below.kind == BigCount::Kind::number) return BigCount::of(below.number + Rational(1));
    return below;
  });
}

namespace {

// The first token of the list, which is in order, at n or beyond.
auto listed_from(const ScoreIntervals& box, const Rational& n) {
  return std::ranges::lower_bound(box.head(), n, {}, &Token::n);
}

std::pair<Ball, Ball> scores_at(const ScoreIntervals& box, const Rational& n) {
  const auto token = listed_from(box, n);
  if (token != box.head().end() && token->n == n) return {token->low, token->high};
  return {box.low().value(n), box.high().value(n)};
}

// (1 - p) e^{u_n} >= p (the others + sink)
bool gets(const Rational& weight, const ScoreIntervals& box, const Ball& others, const std::pair<Ball, Ball>& scores) {
  const long bits = box.bits();
  const Ball mine = mul(Ball(Rational(1) - weight, bits), exp(scores.second, bits), bits);
  const Ball rest = mul(Ball(weight, bits), add(others, box.sink().value_or(Ball(0)), bits), bits);
  const Ball difference = sub(mine, rest, bits);
  return difference.surely_zero() || surely(difference);
}

// The last n of the list or of the tail at which the statement holds: it may hold again later in the list, never in
// the tail. Tokens that are negligible together have less weight than any of them would need.
BigCount last_true(const ScoreIntervals& box, const Rational& weight, const std::function<bool(const Rational&)>& holds,
                   const Context& context) {
  if (box.has_tail()) {
    const BigCount in_tail = last_holding(holds, box.tail_first(), box.high().last(), context);
    if (in_tail.kind != BigCount::Kind::none) return in_tail;
  }
  const long bits = box.bits();
  const Ball theirs = mul(Ball(Rational(1) - weight, bits), box.negligible().z, bits);
  if (!theirs.surely_zero() && !theirs.surely_less(mul(Ball(weight, bits), all_low(box).z, bits)))
    throw theory::Undecided("two numbers too close to be told apart");
  for (auto token = box.head().rbegin(); token != box.head().rend(); ++token) {
    context.check_time();
    if (holds(token->n)) return BigCount::of(token->n);
  }
  return BigCount::none();
}

}  // namespace

Reach reach(const theory::ScoreFunction& law, const Rational& weight, const Rational& bound,
            const std::optional<Rational>& length, const SumOptions& options,
            const theory::ConstantOracle& oracle, ReachWanted wanted) {
  const bool sink_moves = law.sink && law.sink->mentions(theory::kLength);
  Reach result;
  const auto in_the_whole_context = [&] {
    return with_enough_digits<BigCount>(options, [&](int digits, Context::Clock::time_point deadline) {
      Context context(oracle);
      context.set_deadline(deadline);
      if (sink_moves && !length) throw theory::Undecided("the sink depends on L: see lengths");
      if (infinitely_many(law, length)) {
        if (law.depends_on_length()) throw theory::Undecided("the score depends on L: see lengths");
        if (!theory::decide_sum(theory::score_below(law, Expr(bound)), context).converges)
          return BigCount::none();
      }
      ScoreIntervals box = ScoreIntervals::of(law, bound, length, Wants::falling, digits, oracle, deadline);
      const Ball listed = all_low(box).z;
      const Ball lowest = Ball::hull(listed, add(listed, box.negligible().z, box.bits()), box.bits());
      return last_true(
          box, weight,
          [&](const Rational& n) {
            const auto scores = scores_at(box, n);
            return gets(weight, box, sub(lowest, exp(scores.first, box.bits()), box.bits()), scores);
          },
          context);
    });
  };
  const auto in_its_own_context = [&] {
    return with_enough_digits<BigCount>(options, [&](int digits, Context::Clock::time_point deadline) {
      Context context(oracle);
      context.set_deadline(deadline);
      if (law.depends_on_length()) throw theory::Undecided("the score depends on L");
      if (sink_moves) throw theory::Undecided("the sink depends on L");
      if (law.two_sided) throw theory::Undecided("self-reach is of causal laws");
      ScoreIntervals box = ScoreIntervals::of(law, bound, length, Wants::falling, digits, oracle, deadline);
      std::vector<Ball> at_their_lowest = {Ball(0)};  // Σ e^l of the first k tokens of the list
      for (const Token& token : box.head()) {
        context.check_time();
        at_their_lowest.push_back(add(at_their_lowest.back(), exp(token.low, box.bits()), box.bits()));
      }
      return last_true(
          box, weight,
          [&](const Rational& n) {  // the keys nearer than n
            Ball nearer = at_their_lowest[static_cast<std::size_t>(listed_from(box, n) - box.head().begin())];
            if (box.has_tail()) nearer = add(nearer, box.low().up_to(n - Rational(1)).z, box.bits());
            return gets(weight, box, nearer, scores_at(box, n));
          },
          context);
    });
  };
  if (wanted.n) result.n = in_the_whole_context();
  if (wanted.self_reach) result.self_reach = in_its_own_context();
  return result;
}

}  // namespace gpe::checks
