#include "checks/content/effective_window.h"
// Tests: tests/checks/content/effective_window_test.cpp, tests/checks/content/over_gates_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/content/family_window.h"
#include "checks/content/last_distance.h"
#include "checks/halfline/count_search.h"
#include "checks/halfline/or_undecided.h"
#include "checks/sums/series_sum.h"
#include "checks/sums/terms.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/exact/decision.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"

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

// Runs with more digits while comparisons are not settled, in the time of one question.
template <class Find>
BigCount with_enough_digits(const Context& whole, const Find& find) {
  const Context context = whole.question();
  std::string reason;
  for (const int digits : kDigits) {
    const auto found = attempt_all([&]() -> BigCount { return find(digits, context); });
    if (found) return *found;
    reason = found.reason();
    if (reason.find("too close") == std::string::npos) break;
  }
  return BigCount::unknown(reason);
}

bool infinitely_many(const theory::ScoreFunction& law, const std::optional<Rational>& length) {
  return !length && !law.window;
}

}  // namespace

BigCount effective_window(const theory::ScoreFunction& law, const Rational& epsilon, const Rational& bound,
                          const std::optional<Rational>& length, const Context& whole) {
  return with_enough_digits(whole, [&](int digits, const Context& context) -> BigCount {
    if (infinitely_many(law, length)) {
      if (law.depends_on_length()) throw theory::Undecided("the score depends on L: see lengths");
      if (!theory::decide_sum(theory::score_above(law, Expr(bound)), context).converges)
        return BigCount::none();
      if (const auto window = family_window(law, epsilon, bound, context)) return *window;
    }
    ScoreIntervals box = ScoreIntervals::of(law, bound, length, Wants::sums, digits, context);
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

// (1 - p) e^{u_n} >= p (the others + sink); where these scores are not attained, >.
bool gets(const Rational& weight, const ScoreIntervals& box, const Ball& others,
          const std::pair<Ball, Ball>& scores, bool attained = true) {
  const long bits = box.bits();
  const Ball mine = mul(Ball(Rational(1) - weight, bits), exp(scores.second, bits), bits);
  const Ball rest = mul(Ball(weight, bits), add(others, box.sink().value_or(Ball(0)), bits), bits);
  const Ball difference = sub(mine, rest, bits);
  return difference.surely_zero() ? attained : surely(difference);
}

constexpr std::int64_t kFewNearer = 16;

// Whether n gets it from the keys nearer than n, exactly: with whole biases and contents two sides may be
// equal, as e^(-2 + 1) and e^(0 - 1).
// @throws Undecided  for many keys
bool gets_exactly(const Rational& weight, const theory::ScoreFunction& law, const Rational& bound,
                  const Rational& n, const Context& context) {
  if (n - Rational(law.first) > Rational(kFewNearer))
    throw theory::Undecided("two numbers too close to be told apart");
  const auto share = [&](const Expr& score, const Rational& at) {
    return exp(substitute(score, theory::kIndex, Expr(at)));
  };
  Expr difference = Expr(Rational(1) - weight) * share(theory::score_above(law, Expr(bound)), n);
  for (Rational k(law.first); k < n; k += Rational(1))
    difference = difference - Expr(weight) * share(theory::score_below(law, Expr(bound)), k);
  if (law.sink) difference = difference - Expr(weight) * exp(*law.sink);
  return context.sign(to_form(difference, context)) >= 0;
}

// Σ e^l over the keys nearer than n.
class Nearer {
 public:
  Nearer(const ScoreIntervals& box, const Context& context) : box_(box) {
    for (const Token& token : box.head()) {
      context.check_time();
      listed_.push_back(add(listed_.back(), exp(token.low, box.bits()), box.bits()));
    }
  }
  Ball than(const Rational& n) const {
    const Ball& listed = listed_[static_cast<std::size_t>(listed_from(box_, n) - box_.head().begin())];
    return box_.has_tail() ? add(listed, box_.low().up_to(n - Rational(1)).z, box_.bits()) : listed;
  }

 private:
  const ScoreIntervals& box_;
  std::vector<Ball> listed_ = {Ball(0)};  // of the first k tokens of the list
};

// The last n of the list or of the tail at which the statement holds: it may hold again later in the list,
// never in the tail. Tokens that are negligible together have less weight than any of them would need.
BigCount last_true(const ScoreIntervals& box, const Rational& weight,
                   const std::function<bool(const Rational&)>& holds, const Context& context) {
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
            const std::optional<Rational>& length, const Context& whole, ReachWanted wanted) {
  const bool sink_moves = law.sink && law.sink->mentions(theory::kLength);
  Reach result;
  const auto in_the_whole_context = [&] {
    return with_enough_digits(whole, [&](int digits, const Context& context) -> BigCount {
      if (sink_moves && !length) throw theory::Undecided("the sink depends on L: see lengths");
      if (infinitely_many(law, length)) {
        if (law.depends_on_length()) throw theory::Undecided("the score depends on L: see lengths");
        if (!theory::decide_sum(theory::score_below(law, Expr(bound)), context).converges)
          return BigCount::none();
      }
      ScoreIntervals box = ScoreIntervals::of(law, bound, length, Wants::falling, digits, context);
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
    return with_enough_digits(whole, [&](int digits, const Context& context) -> BigCount {
      if (law.depends_on_length()) throw theory::Undecided("the score depends on L");
      if (sink_moves) throw theory::Undecided("the sink depends on L");
      if (law.two_sided) throw theory::Undecided("self-reach is of causal laws");
      ScoreIntervals box = ScoreIntervals::of(law, bound, length, Wants::falling, digits, context);
      const Nearer nearer(box, context);
      return last_true(
          box, weight,
          [&](const Rational& n) {
            const auto told = theory::attempt<theory::Undecided>(
                [&] { return gets(weight, box, nearer.than(n), scores_at(box, n)); });
            return told ? *told : gets_exactly(weight, law, bound, n, context);
          },
          context);
    });
  };
  if (wanted.n) result.n = in_the_whole_context();
  if (wanted.self_reach) result.self_reach = in_its_own_context();
  return result;
}

namespace {

constexpr std::int64_t kMaxScanned = 65536;

// Whether a key beyond `from` has less weight than the one before it, the best gates and content being given
// to each: with u falling, b convex and a_n falling, all the scores of other keys less that of n rise.
bool falls_over_gates(const theory::ScoreFunction& law, const Rational& bound, const ScoreIntervals& box,
                      const Context& context) {
  if (!box.infinite()) return false;
  const auto found = attempt_all([&] {
    const std::int64_t from = *box.tail_first().to_int64();
    const MonotoneTail bias = monotone_tail(simplify_if_settled(law.bias, context), law.first, context);
    const MonotoneTail amplitude =
        monotone_tail(simplify_if_settled(theory::amplitude(law, Expr(bound)), context), law.first, context);
    return std::max(bias.from, amplitude.from) <= from && never_rises(amplitude.score, from, context) &&
           never_rises(-theory::derivative(bias.score, theory::kIndex), from, context);
  });
  return found && *found;
}

}  // namespace

BigCount reach_over_gates(const theory::ScoreFunction& law, const Rational& weight, const Rational& bound,
                          const std::optional<Rational>& length, const Context& whole) {
  const theory::Path& path = *law.path;
  const theory::ScoreFunction near = theory::with_constant_gate(law, path.high);
  const theory::ScoreFunction far = theory::with_constant_gate(law, path.low.value_or(path.high));
  const std::optional<Rational> last = last_distance(law, length);
  const auto attained = [&](const Rational& n) {  // not only in the limit
    const bool nearer = n > Rational(law.sink ? 0 : law.first), farther = !last || n < *last;
    return !(nearer && path.high_open) && !(farther && (path.low_open || !path.low));
  };
  return with_enough_digits(whole, [&](int digits, const Context& context) -> BigCount {
    const bool few = last && *last - Rational(law.first) <= Rational(kMaxScanned);
    if (path.low && !few && !theory::decide_sum(theory::score_below(far, Expr(bound)), context).converges) {
      if (!last) return BigCount::none();
      throw theory::Undecided("too many keys, whose weights do not have a finite sum in an endless context");
    }
    ScoreIntervals box = ScoreIntervals::of(near, bound, length, Wants::falling, digits, context);
    const long bits = box.bits();
    const Ball apart = path.low ? evaluate(path.high - *path.low, {}, bits) : Ball(0);
    const Nearer nearer(box, context);
    const auto holds = [&](const Rational& n, const Ball& farther) {  // Σ e^l beyond n, of the gate `far`
      context.check_time();
      const Ball others =
          add(nearer.than(n), mul(exp(mul(apart, Ball(n, bits), bits), bits), farther, bits), bits);
      return gets(weight, box, others, scores_at(box, n), attained(n));
    };
    const Expr lowest = simplify_if_settled(theory::score_below(far, Expr(bound)), context);
    std::optional<SeriesSum> sum;
    if (path.low && !few) sum.emplace(lowest, law.first, digits, context);
    const auto beyond = [&](const Rational& n) {
      if (!sum) return Ball(0);
      return last ? sub(sum->beyond(n, {}).z, sum->beyond(*last, {}).z, bits) : sum->beyond(n, {}).z;
    };
    if (!path.low || falls_over_gates(law, bound, box, context))
      return last_true(
          box, weight, [&](const Rational& n) { return holds(n, beyond(n)); }, context);
    BigCount top =
        few ? BigCount::of(*last) : reach(near, weight, bound, length, context, {false, true}).self_reach;
    if (top.kind == BigCount::Kind::none || top.kind == BigCount::Kind::unknown) return top;
    if (top.kind != BigCount::Kind::number || top.number - Rational(law.first) > Rational(kMaxScanned))
      throw theory::Undecided("the largest weight over all gates is not proved to fall with distance");
    Ball farther = beyond(top.number);
    for (Rational n = top.number; n >= Rational(law.first); n -= Rational(1)) {
      if (holds(n, farther)) return BigCount::of(n);
      farther = add(farther, sum_terms(lowest, n, n, bits, context).z, bits);
    }
    return BigCount::none();
  });
}

}  // namespace gpe::checks
