#include "checks/compare/comparison.h"

#include "checks/arb/decimal.h"
#include "checks/arb/precision.h"
#include "checks/content/effective_window.h"
#include "checks/content/local_range.h"
#include "checks/content/sphere.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

Amount of(EnclosedNumber number) { return {false, std::move(number), {}}; }
Amount of(BigCount count) { return {true, {}, std::move(count)}; }

EnclosedNumber on_spheres(const theory::ScoreFunction& law, ComparedQuantity quantity,
                          const ComparisonOptions& o, int digits, const theory::Context& context) {
  const long bits = working_bits(digits);
  const auto value = attempt_all([&] {
    return quantity == ComparedQuantity::probability
               ? probability_at_least(law, o.content_bound, *o.distance, o.threshold, bits, context)
               : deviation_at(law, o.content_bound, *o.distance, bits);
  });
  if (value && value->is_finite()) return {Finite::yes, *value, ""};
  return {Finite::unknown, Ball::unknown(), value ? "not defined there" : value.reason()};
}

// Counts in order: those that do not exist, numbers, powers of ten, those without end.
int rank_of(const BigCount& count, ComparedQuantity quantity) {
  switch (count.kind) {
    case BigCount::Kind::none:
      return quantity == ComparedQuantity::window ? 3 : 0;
    case BigCount::Kind::number:
      return 1;
    case BigCount::Kind::log10:
      return 2;
    case BigCount::Kind::unbounded:
      return 3;
    case BigCount::Kind::unknown:
      break;
  }
  return -1;
}

Ordered by_sign(int sign) { return {sign > 0 ? Order::first : Order::second, "", false}; }

Ordered compare_counts(const BigCount& a, const BigCount& b, ComparedQuantity quantity) {
  const int first = rank_of(a, quantity);
  const int second = rank_of(b, quantity);
  if (first < 0 || second < 0) return {Order::undecided, first < 0 ? a.reason : b.reason};
  if (first != second) return by_sign(first - second);
  if (first == 0) return {Order::tie, "neither has one"};
  if (first == 3)
    return {Order::tie,
            quantity == ComparedQuantity::window ? "no window is enough for either" : "both are unbounded"};
  if (first == 2) {
    const Ball gap = sub(exponent_of(a), exponent_of(b), 128);
    if (gap.surely_positive() || gap.surely_negative()) return by_sign(gap.surely_positive() ? 1 : -1);
    return {Order::undecided, "both are about 10^" + a.log10};
  }
  if (a.number == b.number) return {Order::tie, "equal"};
  return by_sign(a.number > b.number ? 1 : -1);
}

Ordered compare_numbers(const EnclosedNumber& a, const EnclosedNumber& b) {
  for (const EnclosedNumber* one : {&a, &b}) {
    if (one->finite == Finite::unknown) return {Order::undecided, one->reason};
  }
  if (a.finite == Finite::no && b.finite == Finite::no) return {Order::tie, "both are infinite"};
  if (a.finite != b.finite) return by_sign(a.finite == Finite::no ? 1 : -1);
  for (const EnclosedNumber* one : {&a, &b}) {
    if (!one->value.is_finite()) return {Order::undecided, one->reason};
  }
  if (b.value.surely_less(a.value)) return by_sign(1);
  if (a.value.surely_less(b.value)) return by_sign(-1);
  if (a.value.is_exact() && b.value.is_exact()) return {Order::tie, "equal"};
  return {Order::undecided, "the enclosures overlap", true};
}

}  // namespace

Ball exponent_of(const BigCount& count) {
  const std::size_t point = count.log10.find('.');
  const auto places = point == std::string::npos ? 0 : std::ssize(count.log10.substr(point + 1));
  const Rational half = Rational(1, 2) * Rational(10).pow(-places);
  return Ball(Rational::parse(count.log10).value(), 128).widened(Ball(half, 128));
}

std::vector<ComparedQuantity> quantities(const ComparisonOptions& options) {
  std::vector<ComparedQuantity> result = {ComparedQuantity::entropy,     ComparedQuantity::mean_distance,
                                          ComparedQuantity::local_range, ComparedQuantity::window,
                                          ComparedQuantity::reach,       ComparedQuantity::self_reach};
  if (options.distance)
    result.insert(result.end(), {ComparedQuantity::deviation, ComparedQuantity::probability});
  return result;
}

std::string name_of(ComparedQuantity quantity) {
  switch (quantity) {
    case ComparedQuantity::entropy:
      return "entropy";
    case ComparedQuantity::mean_distance:
      return "mean-distance";
    case ComparedQuantity::local_range:
      return "local-range";
    case ComparedQuantity::window:
      return "window";
    case ComparedQuantity::reach:
      return "reach";
    case ComparedQuantity::self_reach:
      return "self-reach";
    case ComparedQuantity::deviation:
      return "deviation";
    case ComparedQuantity::probability:
      return "probability";
  }
  return "";
}

std::string title_of(ComparedQuantity quantity, const ComparisonOptions& o) {
  const std::string bound = ", B = " + o.content_bound.str();
  const std::string at = o.distance ? " at n = " + o.distance->str() + bound : "";
  switch (quantity) {
    case ComparedQuantity::entropy:
      return "entropy H (nats)";
    case ComparedQuantity::mean_distance:
      return "mean distance";
    case ComparedQuantity::local_range:
      return "local range |b| <= " + o.threshold.str();
    case ComparedQuantity::window:
      return "window for " + o.epsilon.str() + bound;
    case ComparedQuantity::reach:
      return "reach of weight " + o.weight.str() + bound;
    case ComparedQuantity::self_reach:
      return "self-reach of weight " + o.weight.str() + bound;
    case ComparedQuantity::deviation:
      return "deviation of A" + at;
    case ComparedQuantity::probability:
      return "P(A >= " + o.threshold.str() + ")" + at;
  }
  return "";
}

bool is_continuous(ComparedQuantity quantity) {
  return quantity == ComparedQuantity::entropy || quantity == ComparedQuantity::mean_distance ||
         quantity == ComparedQuantity::deviation || quantity == ComparedQuantity::probability;
}

std::string name_of(Order order) {
  switch (order) {
    case Order::first:
      return "first";
    case Order::second:
      return "second";
    case Order::tie:
      return "tie";
    case Order::undecided:
      return "undecided";
  }
  return "";
}

Amount amount_of(const theory::ScoreFunction& law, ComparedQuantity quantity, const ComparisonOptions& o,
                 int digits, const theory::Context& context) {
  switch (quantity) {
    case ComparedQuantity::entropy:
      return of(enclose_sums(law, digits, context).entropy);
    case ComparedQuantity::mean_distance:
      return of(enclose_sums(law, digits, context).mean_distance);
    case ComparedQuantity::local_range:
      return of(local_range(law, o.threshold, context).within);
    case ComparedQuantity::window:
      return of(effective_window(law, o.epsilon, o.content_bound, std::nullopt, context));
    case ComparedQuantity::reach:
      return of(reach(law, o.weight, o.content_bound, std::nullopt, context, {true, false}).n);
    case ComparedQuantity::self_reach:
      return of(reach(law, o.weight, o.content_bound, std::nullopt, context, {false, true}).self_reach);
    case ComparedQuantity::deviation:
    case ComparedQuantity::probability:
      return of(on_spheres(law, quantity, o, digits, context));
  }
  return {};
}

Ordered compare(const Amount& first, const Amount& second, ComparedQuantity quantity) {
  if (first.is_count) return compare_counts(first.count, second.count, quantity);
  return compare_numbers(first.number, second.number);
}

bool same_scores(const theory::ScoreFunction& first, const theory::ScoreFunction& second, bool with_content,
                 const theory::Context& context) {
  if (first.first != second.first || first.window != second.window || first.two_sided != second.two_sided)
    return false;
  if (with_content && (first.has_content != second.has_content || first.softcap != second.softcap ||
                       first.sink != second.sink))
    return false;
  const auto same = [&] {
    const theory::Context facts = context_from(Rational(first.first), context);
    const auto equal = [&](const Expr& a, const Expr& b) {
      return a == b || to_form(a - b, facts).is_zero();
    };
    return equal(first.bias, second.bias) &&
           (!with_content || (equal(first.gain, second.gain) && equal(first.norm, second.norm)));
  };
  return attempt_all(same).value_or(false);
}

Comparison compare(const AmountTo& first, const AmountTo& second, ComparedQuantity quantity, int digits) {
  Comparison result{quantity, first(digits), second(digits), {}};
  result.larger = compare(result.first, result.second, quantity);
  Amount a = result.first;
  Amount b = result.second;
  for (int more = 2 * digits; more <= 4 * digits && result.larger.overlap; more *= 2) {
    a = first(more);
    b = second(more);
    result.larger = compare(a, b, quantity);
  }
  if (!result.larger.overlap) return result;
  const Ball both = Ball::hull(a.number.value, b.number.value, working_bits(4 * digits));
  const int proved = proved_decimal(both, 4 * digits).digits;
  if (proved > 0)
    result.larger.reason = "they agree to " + std::to_string(proved) + (proved == 1 ? " digit" : " digits");
  return result;
}

Comparison compare(const theory::ScoreFunction& first, const theory::ScoreFunction& second,
                   ComparedQuantity quantity, const ComparisonOptions& options,
                   const theory::Context& context) {
  const auto amount_to = [&](const theory::ScoreFunction& law) {
    return [&](int digits) { return amount_of(law, quantity, options, digits, context); };
  };
  const bool without_content =
      quantity == ComparedQuantity::entropy || quantity == ComparedQuantity::mean_distance;
  if (without_content && same_scores(first, second, false, context)) {
    const Amount both = amount_to(first)(options.digits);
    Ordered tie = compare(both, both, quantity);
    if (tie.order == Order::undecided) tie = {Order::tie, "the scores are the same"};
    return {quantity, both, both, tie};
  }
  return compare(amount_to(first), amount_to(second), quantity, options.digits);
}

}  // namespace gpe::checks
