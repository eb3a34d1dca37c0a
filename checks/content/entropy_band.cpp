#include "checks/content/entropy_band.h"

#include "checks/arb/precision.h"
#include "checks/halfline/or_undecided.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

// For infinitely many tokens: which ends are finite. Nothing: both are, and can be computed.
std::optional<EntropyBand> infinite_ends(const theory::ScoreFunction& law, const Rational& bound,
                                         const Context& context) {
  const Expr high = theory::score_above(law, Expr(bound));
  if (theory::decide_sum(high, context).converges) {
    if (theory::decide_weighted_sum(high, context).converges) return std::nullopt;
    return EntropyBand{EnclosedNumber::infinite("sum |A+| e^A+ diverges"),
                       EnclosedNumber::unknown("some contents have infinite entropy")};
  }
  const theory::SupremumBounds top = theory::limsup(high, context);
  if (top.high.kind == theory::Limit::Kind::plus_infinity) {
    return EntropyBand{EnclosedNumber::unknown("the scores of some contents are unbounded: see lengths"),
                       EnclosedNumber::unknown("the scores of some contents are unbounded: see lengths")};
  }
  const std::string why = "sum e^A+ diverges and A+ is bounded";
  if (theory::decide_sum(theory::score_below(law, Expr(bound)), context).converges) {
    return EntropyBand{EnclosedNumber::infinite(why),
                       EnclosedNumber::unknown("some contents converge and others do not")};
  }
  return EntropyBand{EnclosedNumber::infinite(why),
                     EnclosedNumber::infinite("sum e^A- diverges and A+ is bounded: so for every content")};
}

EntropyBand of_box(ScoreIntervals& box, int digits, const Context& context) {
  EntropyBand band;
  const auto open = [](const std::string& reason) {
    return EnclosedNumber{Finite::yes, Ball::unknown(), reason};
  };
  const auto largest = attempt_all([&] { return largest_entropy(box, digits, context); });
  band.upper = largest ? EnclosedNumber{Finite::yes, *largest, ""} : open(largest.reason());
  const auto least = attempt_all([&] { return smallest_entropy(box, context); });
  band.lower = least ? EnclosedNumber{Finite::yes, Ball::hull(least->proved, least->attained, box.bits()), ""}
                     : open(least.reason());
  return band;
}

}  // namespace

// H of all tokens, from H of those that are listed, where the others have the share t <= U/Z of the weight:
// (1 - t) H <= H_all <= H + t + sum of -p log p over the others, p_n <= q_n = e^(u_n)/Z, and -q log q
// increases up to q = 1/e (docs/readings.md, B5).
EnclosedNumber with_negligible(EnclosedNumber number, const ScoreIntervals& box) {
  const long bits = box.bits();
  const Moments& others = box.negligible();
  if (!number.value.is_finite() || others.z.surely_zero()) return number;
  const Ball z = all_low(box).z;
  const Ball share = div(others.z, z, bits);
  if (!share.surely_less(Ball(Rational(1, 3), bits)))
    throw theory::Undecided("the tokens that are not listed have too much weight");
  const Ball theirs = div(sub(mul(log(z, bits), others.z, bits), others.s, bits), z, bits);
  number.value = Ball::hull(mul(sub(Ball(1), share, bits), number.value, bits),
                            add(number.value, add(share, theirs, bits), bits), bits);
  return number;
}

EntropyBand entropy_band(const theory::ScoreFunction& law, const Rational& bound,
                         const std::optional<Rational>& length, int digits, const Context& whole) {
  const Context context = whole.question();
  const auto compute = [&]() -> EntropyBand {
    if (!length && !law.window) {
      if (law.depends_on_length())
        return {EnclosedNumber::unknown("the score depends on L: see lengths"),
                EnclosedNumber::unknown("the score depends on L: see lengths")};
      if (auto ends = infinite_ends(law, bound, context)) return *ends;
    }
    const theory::Expr amplitude = theory::amplitude(law, Expr(bound));
    if (amplitude.is_number(0)) {
      const auto exact = length ? std::nullopt : std::optional(enclose_sums(law, digits, context).entropy);
      if (exact) return {*exact, *exact};
      const Ball value = enclose_partial_sum(law, *length, digits, context).entropy;
      return {{Finite::yes, value, ""}, {Finite::yes, value, ""}};
    }
    ScoreIntervals box = ScoreIntervals::of(law, bound, length, Wants::entropy, digits + 4, context);
    EntropyBand band = of_box(box, digits, context);
    for (EnclosedNumber* end : {&band.upper, &band.lower}) *end = with_negligible(*end, box);
    return band;
  };
  return attempt_all(compute).or_else([](const std::string& reason) {
    return EntropyBand{EnclosedNumber::unknown(reason), EnclosedNumber::unknown(reason)};
  });
}

EntropyBand entropy_band(const std::vector<ScoreRange>& ranges, int digits, const Context& context) {
  const long bits = working_bits(digits) + 32;
  std::vector<Token> tokens;
  const auto exact = [](double x) {
    Ball ball;
    arf_set_d(arb_midref(ball.raw()), x);
    return ball;
  };
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const ScoreRange& range = ranges[i];
    tokens.push_back(
        {Rational(static_cast<std::int64_t>(i)), exact(range.low), exact(range.high), range.copies});
  }
  ScoreIntervals box(std::move(tokens), bits);
  return of_box(box, digits, context);
}

EntropyBand entropy_band(const std::vector<double>& low, const std::vector<double>& high, int digits,
                         const Context& context) {
  std::vector<ScoreRange> ranges;
  for (std::size_t i = 0; i < low.size(); ++i) ranges.push_back({low[i], high[i], 1});
  return entropy_band(ranges, digits, context);
}

}  // namespace gpe::checks
