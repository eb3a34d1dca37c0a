#include "checks/compare/crossings.h"
// Tests: tests/checks/compare/comparison_test.cpp
#include <algorithm>
#include <map>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/arb/root_bracket.h"
#include "theory/exact/attempt.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

struct Place {
  Rational at;
  Ordered order;
};

class Follower {
 public:
  Follower(const Pair& pair, ComparedQuantity quantity, int digits, const ComparisonOptions& options,
           const theory::Context& context)
      : pair_(pair), quantity_(quantity), digits_(digits), options_(options), context_(context) {}

  Ordered order_at(const Rational& x) const {
    const auto one = [&](const theory::ScoreFunction& law, bool moves, std::map<int, Amount>& known) {
      return [&, law, moves](int digits) { return amount(law, moves, known, digits); };
    };
    const theory::ScoreFunction first = pair_.first(x);
    const theory::ScoreFunction second = pair_.second(x);
    const AmountTo a = one(first, pair_.first_moves, first_known_);
    const AmountTo b = one(second, pair_.second_moves, second_known_);
    Ordered found = compare(a, b, quantity_, options_.digits).larger;
    const bool without_content =
        quantity_ == ComparedQuantity::entropy || quantity_ == ComparedQuantity::mean_distance;
    if (found.overlap && without_content && same_scores(first, second, false, context_))
      found = {Order::tie, "the scores are the same", false};
    return found;
  }

  // Every change between two places with different orders, in increasing order.
  void close_in(const Place& low, const Place& high, Crossings& found) const {
    close_in(low, high, {context_.budget().question(), (high.at - low.at) * Rational(10).pow(-digits_)},
             found);
  }

 private:
  // When to stop. An interval that contains 0 is never narrow beside its ends: its width is held to that of
  // the interval between two values tried.
  struct Goal {
    theory::Budget time;
    Rational width_at_zero;
  };

  void close_in(const Place& low, const Place& high, const Goal& goal, Crossings& found) const {
    const bool decided = low.order.order != Order::undecided && high.order.order != Order::undecided;
    if (!decided)
      return add({low.at, high.at, "", Ball::unknown(), "not decided at one of the ends"}, high.order, found);
    const bool has_root = !pair_.whole && is_continuous(quantity_) && low.order.order != Order::tie &&
                          high.order.order != Order::tie;
    Rational left = low.at;
    Rational right = high.at;
    while (wide(left, right, goal)) {
      if (has_root && left.sign() > 0)
        return add(by_secant({left, low.order}, {right, high.order}), high.order, found);
      if (goal.time.is_over())
        return add({left, right, "", Ball::unknown(), "the time limit"}, high.order, found);
      const Rational middle = middle_of(left, right);
      const Ordered order = order_at(middle);
      if (order.order == low.order.order) {
        left = middle;
      } else if (order.order == high.order.order) {
        right = middle;
      } else if (order.order == Order::undecided) {
        return add({left, right, "", Ball::unknown(), "at " + middle.str() + ": " + order.reason}, high.order,
                   found);
      } else {
        close_in({left, low.order}, {middle, order}, goal, found);
        return close_in({middle, order}, {right, high.order}, goal, found);
      }
    }
    add({left, right, "", Ball::unknown(), ""}, high.order, found);
  }

  // The middle, with few decimals, or whole; 0 first.
  Rational middle_of(const Rational& low, const Rational& high) const {
    if (pair_.whole) return ((low + high) / Rational(2)).floor();
    if (low.sign() < 0 && high.sign() > 0) return 0;
    const Rational middle = (low + high) / Rational(2);
    const Rational quarter = (high - low) / Rational(4);
    Rational unit(1);
    while (unit > quarter) unit /= Rational(10);
    return (middle / unit + Rational(1, 2)).floor() * unit;
  }

  // The law that stays as it is gives the same amount every time.
  Amount amount(const theory::ScoreFunction& law, bool moves, std::map<int, Amount>& known,
                int digits) const {
    if (moves) return amount_of(law, quantity_, options_, digits, context_);
    auto found = known.find(digits);
    if (found == known.end())
      found = known.emplace(digits, amount_of(law, quantity_, options_, digits, context_)).first;
    return found->second;
  }

  bool wide(const Rational& low, const Rational& high, const Goal& goal) const {
    if (pair_.whole) return high - low > Rational(1);
    if (has_zero(low, high)) return high - low > goal.width_at_zero;
    const Rational size = std::max(low.abs(), high.abs());
    return high - low > size * Rational(10).pow(-digits_);
  }

  static bool has_zero(const Rational& low, const Rational& high) {
    return low.sign() <= 0 && high.sign() >= 0;
  }

  Change by_secant(const Place& low, const Place& high) const {
    const int sign = low.order.order == Order::first ? 1 : -1;
    const auto difference = [&](const Rational& x, int digits) {
      const Amount a = amount(pair_.first(x), pair_.first_moves, first_known_, digits);
      const Amount b = amount(pair_.second(x), pair_.second_moves, second_known_, digits);
      for (const auto& [one, side] : {std::pair(&a, 1), std::pair(&b, -1)}) {
        // beyond any number: only the sign counts
        if (one->number.finite == Finite::no)
          return mul(Ball(Rational(10).pow(9), 64), Ball(sign * side), 64);
      }
      return mul(Ball(sign), sub(a.number.value, b.number.value, working_bits(digits)), working_bits(digits));
    };
    const RootBracket bracket = bracket_root(difference, {low.at, high.at, ""}, digits_, context_.question());
    return {bracket.low, bracket.high, "", Ball::unknown(), bracket.reason};
  }

  void add(Change change, const Ordered& after, Crossings& found) const {
    const long bits = working_bits(digits_) + 64;
    change.value = Ball::hull(Ball(change.low, bits), Ball(change.high, bits), bits);
    change.whole = pair_.whole;
    if (!change.whole) name_exact_place(change, bits);
    if (!change.whole && change.exact.empty() && change.reason.empty() && has_zero(change.low, change.high))
      change.reason = "so near 0 it is closed in no further";
    found.changes.push_back(std::move(change));
    found.orders.push_back(after);
  }

  // The laws become the same at a short number; or a token leaves the local range of the law that moves.
  void name_exact_place(Change& change, long bits) const {
    const Rational simplest = simplest_between(change.low, change.high);
    const bool content = quantity_ != ComparedQuantity::entropy &&
                         quantity_ != ComparedQuantity::mean_distance &&
                         quantity_ != ComparedQuantity::local_range;
    if (same_scores(pair_.first(simplest), pair_.second(simplest), content, context_)) {
      change.exact = simplest.str();
      change.value = Ball(simplest, bits);
      return;
    }
    if (quantity_ != ComparedQuantity::local_range || pair_.first_moves == pair_.second_moves) return;
    const auto& law = pair_.first_moves ? pair_.first : pair_.second;
    const std::optional<Tilt>& tilt = pair_.first_moves ? pair_.first_tilt : pair_.second_tilt;
    if (!tilt || !is_monotone(*tilt, quantity_, law(change.low), context_)) return;
    const Rational& shorter_at = tilt->direction < 0 ? change.high : change.low;
    const BigCount range = amount_of(law(shorter_at), quantity_, options_, digits_, context_).count;
    if (range.kind != BigCount::Kind::number) return;
    theory::attempt([&] {  // else the bracket is all that is known
      const Expr place = where_range_ends(*tilt, range.number + Rational(1), options_.threshold, context_);
      const Ball value = evaluate(place, {}, bits);
      if (!Ball(change.low, bits).surely_at_most(value) || !value.surely_at_most(Ball(change.high, bits)))
        return;
      change.exact = theory::to_text(place);
      change.value = value;
    });
  }

  const Pair& pair_;
  ComparedQuantity quantity_;
  int digits_;
  const ComparisonOptions& options_;
  const theory::Context& context_;
  mutable std::map<int, Amount> first_known_;  // by digits
  mutable std::map<int, Amount> second_known_;
};

void explain(const Pair& pair, const Rational& value, const theory::Context& context, Crossings& found) {
  if (std::ranges::any_of(found.orders, [](const Ordered& o) { return o.order == Order::undecided; })) {
    found.reason = "some values are undecided";
    return;
  }
  if (pair.first_moves && pair.second_moves) {
    found.reason = "both move with the parameter: changes between the values tried are not excluded";
    return;
  }
  const std::optional<Tilt>& tilt = pair.first_moves ? pair.first_tilt : pair.second_tilt;
  const theory::ScoreFunction law = (pair.first_moves ? pair.first : pair.second)(value);
  if (!tilt || !is_monotone(*tilt, found.quantity, law, context)) {
    found.reason = "not proved to be monotone: changes between the values tried are not excluded";
    return;
  }
  found.proved = true;
  found.reason =
      std::string("never ") + (tilt->direction < 0 ? "rises" : "falls") + " with the parameter (V5)";
}

}  // namespace

Crossings find_crossings(const Pair& pair, ComparedQuantity quantity, const std::vector<Rational>& values,
                         int digits, const ComparisonOptions& options, const theory::Context& context) {
  constexpr int kDigitsOfCounts = 12;
  if (!is_continuous(quantity)) digits = std::min(digits, kDigitsOfCounts);
  const Follower follower(pair, quantity, digits + 1, options, context);
  Crossings found;
  found.quantity = quantity;
  Place last{values.front(), follower.order_at(values.front())};
  found.orders.push_back(last.order);
  for (auto value = values.begin() + 1; value != values.end(); ++value) {
    const Place here{*value, follower.order_at(*value)};
    if (here.order.order != last.order.order) follower.close_in(last, here, found);
    last = here;
  }
  explain(pair, values.front(), context, found);
  return found;
}

}  // namespace gpe::checks
