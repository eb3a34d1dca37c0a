// Convergent normalization: Z = Σ e^{A(n)} < ∞, for every content, for some content, in expectation (theorems
// C1 and X1, docs/theorems.md).
// Tests: tests/theory/properties/instances_test.cpp, tests/theory/properties/between_bounds_test.cpp
#include <algorithm>

#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

namespace {

// The number of singular values of W(n) equal to the largest, when the others stay below a fixed share of it.
int top_multiplicity(const ScoreFunction& law, const Context& context) {
  if (law.transform == Transform::identity || law.transform == Transform::rotation) return law.head_dim;
  const Expr n = Expr::symbol(kIndex);
  std::vector<Expr> values;  // one entry a singular value
  for (int j = 0; j < law.head_dim / 2; ++j) {
    if (law.transform == Transform::scaled_rotation) {
      const Expr scale = abs(substitute(law.rotation.scale, "j", Expr(j)));
      values.insert(values.end(), {scale, scale});
    } else {
      const Expr rate = substitute(law.hyperbolic.rate, "j", Expr(j));
      const Expr decay = substitute(law.hyperbolic.decay, "j", Expr(j));
      values.insert(values.end(), {exp(n * (rate - decay)), exp(n * (-rate - decay))});
    }
  }
  int count = 0;
  for (const Expr& value : values) {
    if (eventual_sign(law.norm - value, context) == 0) {
      ++count;
    } else if (sign(limit(Expr(1) - value / law.norm, context).low, context) <= 0) {
      throw Undecided("the largest singular values of W(n) do not separate");
    }
  }
  return count;
}

Decision decide_expected(const ScoreFunction& law, const Expr& scale, const Context& context) {
  const Expr u = amplitude(law, scale);
  const LimitBounds size = limit(u, context);
  if (size.high.kind == Limit::Kind::finite) {
    const SumDecision sum = decide_sum(law.bias, context);
    return decided(sum.converges,
                   "|f| w is bounded, so E e^{f c} lies between constants; for the bias, " + sum.reason);
  }
  if (size.low.kind != Limit::Kind::plus_infinity) {
    throw Undecided("|f| w is unbounded but does not tend to infinity");
  }
  // Theorem X1 (docs/theorems.md): E e^{f c} lies between constants times e^u u^{-(2d - 1 - r)/2}, r the
  // number of largest singular values.
  if (law.softcap && law.transform != Transform::identity && law.transform != Transform::rotation) {
    throw Undecided("an unbounded gain with a soft cap and a transform that stretches is outside the rules");
  }
  const int d = law.head_dim;
  const Rational power(2 * d - 1 - top_multiplicity(law, context), 2);
  const SumDecision sum = decide_sum(law.bias + u - Expr(power) * log(u), context);
  return decided(sum.converges, "E e^{f c} grows like e^u u^(-" + power.str() + ") with u = " + to_text(u) +
                                    "; for A = b + u - " + power.str() + " log u, " + sum.reason);
}

Decision decide_every_or_some(bool every, const ScoreFunction& law, const Expr& bound,
                              const Context& context) {
  const LimitBounds size = limit(amplitude(law, bound), context);
  if (size.high.kind == Limit::Kind::finite) {
    const SumDecision sum = decide_sum(law.bias, context);
    return decided(
        sum.converges,
        (law.has_content ? "|f| w is bounded, so content changes Z by bounded factors; for the bias, " : "") +
            sum.reason);
  }
  const SumDecision sum = decide_sum(every ? score_above(law, bound) : score_below(law, bound), context);
  return decided(sum.converges, std::string("for the ") + (every ? "largest" : "smallest") + " score A = " +
                                    to_text(every ? score_above(law, bound) : score_below(law, bound)) +
                                    ", " + sum.reason);
}

}  // namespace

Decision decide_normalization(NormalizationReading reading, const ScoreFunction& law, const Expr& bound,
                              const Context& context) {
  if (law.window && !law.depends_on_length())
    return holds("a window of " + counted(*law.window, "key") + ": the sum is finite");
  if (law.depends_on_length()) return decide_with_length(reading, law, bound, context);
  switch (reading) {
    case NormalizationReading::every_content:
      return decide_every_or_some(true, law, bound, context);
    case NormalizationReading::some_content:
      return decide_every_or_some(false, law, bound, context);
    case NormalizationReading::expected:
      return decide_expected(law, bound, context);
  }
  return {};
}

}  // namespace gpe::theory
