// Laws that mention L, the length: Z := limsup_L Z_L and H := limsup_L H_L, with b(first; L) = 0.
//
// The score is split as α(n) + κ(L) + μ(n, L). Over n <= L the mixed part lies in [lo(L), hi(L)], found by
// letting n range over the interval [first, L] (theorem L1, docs/theorems.md). With S_L = Σ_{n<=L} e^α(n),
//   log S_L + κ(L) + lo(L)  <=  log Z_L  <=  log S_L + κ(L) + hi(L).
// With a window Z_L is a sum of as many terms for every L, and bounded iff each is.
// Tests: tests/theory/properties/length_test.cpp, tests/theory/properties/window_length_test.cpp
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"
#include "theory/score/every_distance.h"

namespace gpe::theory {

namespace {

struct Split {
  Expr alpha = Expr(0);  // of n
  Expr kappa = Expr(0);  // of L, written n
  Expr mixed = Expr(0);  // of both: n' and n
};

Split split(const Expr& score, const Context& context) {
  Split result;
  for (const Term& term : to_form(score, context).terms()) {
    std::vector<Term> single;
    single.push_back(term);
    const Expr part = to_expr(Form::of_terms(std::move(single)));
    const bool of_l = part.mentions(kLength);
    const bool of_n = part.mentions(kIndex);
    const Expr inner =
        substitute(substitute(part, kIndex, Expr::symbol(kInner)), kLength, Expr::symbol(kIndex));
    if (of_l && of_n) {
      result.mixed = result.mixed + inner;
    } else if (of_l) {
      result.kappa = result.kappa + inner;
    } else {
      result.alpha = result.alpha + part;
    }
  }
  return result;
}

// n' ranges over the interval that the distances seen lie in, n is L.
AsymptoticEnclosure over_distances(Multiseries& series, const Expr& expression, const ScoreFunction& law) {
  EnclosureExpander expander(series);
  const SeriesPtr last =
      law.window_size ? series.constant(to_form(*law.window_size + Expr(law.first - 1), series.context()))
                      : series.index();
  expander.bind(kInner, {series.constant(Form(Rational(law.first))), last});
  return expander.expand(expression);
}

// log S_L, as an expression of L (written n) up to a bounded error; nothing when α is outside the rules used.
std::optional<Expr> log_partial_sum(const Expr& alpha, const Context& context) {
  if (decide_sum(alpha, context).converges) return Expr(0);
  const LimitBounds index = limit(alpha / log(Expr::symbol(kIndex)), context);
  if (index.settled() && index.low.kind == Limit::Kind::finite &&
      context.sign(index.low.value + Form(1)) > 0) {
    return log(Expr::symbol(kIndex)) + alpha;  // e^α regularly varying: S_L ~ L e^{α(L)}/(1 + a)
  }
  return std::nullopt;
}

// limsup of log Z_L (+ extra), called `name`: settled above, or infinite.
Decision bounded_above(const Split& parts, const Expr& extra, const std::string& name,
                       const ScoreFunction& law, const Context& context) {
  const auto log_sum = log_partial_sum(parts.alpha, context);
  if (!log_sum)
    throw Undecided("the growth of the part of the score without L is outside the rules used with L");
  Multiseries series(context);
  const AsymptoticEnclosure total = over_distances(series, *log_sum + parts.kappa + parts.mixed + extra, law);
  const Limit high = limit_of(series, total.high);
  if (high.kind != Limit::Kind::plus_infinity) return holds(name + " is bounded above");
  const Limit low = limit_of(series, total.low);
  if (low.kind == Limit::Kind::plus_infinity) {
    Leading lead;
    series.size(total.low, &lead);
    return fails(name + " >= " +
                 to_text(substitute(to_expr(lead.coefficient) * series.expression(lead.monomial), kIndex,
                                    Expr::symbol(kLength))) +
                 " (1 + o(1)) -> inf");
  }
  throw Undecided("bounds over n <= L do not settle " + name + ": from " + to_text(low) + " to " +
                  to_text(high));
}

// H_L >= log(L + 1 - first) - (largest - smallest score): infinite when that is.
bool entropy_diverges(const Expr& score, const ScoreFunction& law, const Context& context) {
  const Split parts = split(score, context);
  Multiseries series(context);
  const Expr inner_alpha = substitute(parts.alpha, kIndex, Expr::symbol(kInner));
  const AsymptoticEnclosure range = over_distances(series, inner_alpha + parts.mixed, law);
  const SeriesPtr spread = series.subtract(range.high, range.low);
  const SeriesPtr rest = series.subtract(series.iterated_log(1), spread);
  return limit_of(series, rest).kind == Limit::Kind::plus_infinity;
}

constexpr std::int64_t kMaxInWindow = 64;  // distances that are looked at one by one

// Whether score(n; L) is bounded above at each n of the window, as L tends to infinity.
Decision bounded_in_window(const Expr& score, const ScoreFunction& law, const Context& context) {
  const Expr inner =
      substitute(substitute(score, kIndex, Expr::symbol(kInner)), kLength, Expr::symbol(kIndex));
  const bool open = !to_form(*law.window_size, context).rational();
  const Decision all = holds("every score in the window stays bounded above, and Z_L with it");
  for (std::int64_t n = law.first; n < law.first + kMaxInWindow; ++n) {
    if (!open && !sees(law, n, context)) return all;
    const SupremumBounds size = limsup(substitute(inner, kInner, Expr(n)), context);
    if (size.high.kind != Limit::Kind::plus_infinity) continue;
    if (open && !sees(law, n, context)) return all;
    if (size.low.kind == Limit::Kind::plus_infinity)
      return fails("the score at n = " + std::to_string(n) + " tends to infinity with L, and Z_L with it");
    throw Undecided("bounds do not settle whether the score at n = " + std::to_string(n) +
                    " stays bounded as L grows");
  }
  if (length_bounds(score, law, context).high.kind != Limit::Kind::plus_infinity) return all;
  throw Undecided("bounds over the window do not settle whether its scores stay bounded as L grows");
}

Decision expected_in_window(const ScoreFunction& law, const Expr& bound, const Context& context) {
  // theorem X1 (docs/theorems.md): E e^{f c} lies between multiples of e^u (1 + u)^{-(d - 1)/2}
  const Expr u = amplitude(law, bound);
  const bool orthogonal = law.transform == Transform::identity || law.transform == Transform::rotation;
  if (orthogonal)
    return bounded_in_window(law.bias + u - Expr(Rational(law.head_dim - 1, 2)) * log(Expr(1) + u), law,
                             context);
  const Decision least = bounded_in_window(law.bias, law, context);  // E e^{f c} >= 1 by symmetry
  if (least.truth == Truth::fails) return least;
  const Decision most = bounded_in_window(score_above(law, bound), law, context);
  if (most.truth == Truth::holds) return most;
  throw Undecided("E Z_L lies between sum e^b, bounded, and sum e^{A+}, unbounded");
}

Decision finite_entropy(const Expr& score, const ScoreFunction& law, const Context& context) {
  const Split parts = split(score, context);
  const Decision sum = bounded_above(parts, Expr(0), "log Z_L", law, context);
  if (sum.truth == Truth::fails) return fails("Z is infinite: " + sum.reason);
  // Σ |A| e^A: the largest |A| over n <= L times Z_L, when the part without L is constant
  const Expr next = substitute(parts.alpha, kIndex, Expr::symbol(kIndex) + 1);
  if (to_form(parts.alpha, context).mentions(kIndex) &&
      !vanishes_from(next - parts.alpha, law.first, context))
    throw Undecided("the entropy of scores with both n and L is outside the rules used with L");
  return bounded_above(parts, log(Expr(1) + abs(parts.kappa + parts.alpha + parts.mixed)), "log sum |A| e^A",
                       law, context);
}

}  // namespace

LimitBounds length_bounds(const Expr& expression, const ScoreFunction& law, const Context& context) {
  const Expr simple = simplify(expression, context);  // what cancels does not widen the bounds
  const Expr inner =
      substitute(substitute(simple, kIndex, Expr::symbol(kInner)), kLength, Expr::symbol(kIndex));
  Multiseries series(context);
  const AsymptoticEnclosure enclosure = over_distances(series, inner, law);
  return {limit_of(series, enclosure.low), limit_of(series, enclosure.high)};
}

Decision decide_with_length(NormalizationReading reading, const ScoreFunction& law, const Expr& bound,
                            const Context& context) {
  const Expr above = score_above(law, bound);
  const Expr below = score_below(law, bound);
  const auto summable = [&](const Expr& score) {
    return law.window ? bounded_in_window(score, law, context)
                      : bounded_above(split(score, context), Expr(0), "log Z_L", law, context);
  };
  switch (reading) {
    case NormalizationReading::every_content:
      return summable(above);
    case NormalizationReading::some_content:
      return summable(below);
    case NormalizationReading::expected: {
      if (law.window) return expected_in_window(law, bound, context);
      const Decision least = summable(law.bias);  // E e^{f c} >= 1 by symmetry; and E e^{f c} <= e^{|f| w B}
      if (least.truth == Truth::fails) return fails("E Z_L >= sum e^b, and without content " + least.reason);
      const Decision most = summable(above);
      if (most.truth == Truth::holds) return most;
      throw Undecided("E Z_L lies between sum e^b, bounded, and sum e^{A+}, unbounded");
    }
  }
  return {};
}

Decision decide_with_length(EntropyReading reading, const ScoreFunction& law, const Expr& bound,
                            const Context& context) {
  const Expr above = score_above(law, bound);
  const Expr below = score_below(law, bound);
  const auto limit_entropy = [&](const Expr& score) {
    return law.window ? bounded_in_window(score, law, context) : finite_entropy(score, law, context);
  };
  switch (reading) {
    case EntropyReading::limit:
      return limit_entropy(above);
    case EntropyReading::some_content:
      return limit_entropy(below);
    case EntropyReading::uniform:
      for (const auto& [score, which] :
           {std::pair(law.bias, "without content"), std::pair(above, "with the largest content"),
            std::pair(below, "with the smallest content")}) {
        if (entropy_diverges(score, law, context)) {
          return fails(std::string(which) +
                       ", H_L, at least the log of the number of keys less the spread of the scores, tends "
                       "to infinity");
        }
      }
      throw Undecided("the spread of the scores over n <= L is not below log L");
  }
  return {};
}

}  // namespace gpe::theory
