// Entropy boundedness: in the limit, for some content, uniformly in the length (theorems C1 and U1,
// docs/theorems.md).
// Tests: tests/theory/properties/instances_test.cpp, tests/theory/properties/between_bounds_test.cpp
#include <algorithm>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

namespace {

constexpr const char* kBiasDecides = "|f| w is bounded, so the bias decides: ";

Decision decide_finite_entropy(const Expr& score, const Context& context) {
  const SumDecision sum = decide_sum(score, context);
  if (!sum.converges) return fails("Z is infinite: " + sum.reason);
  const SumDecision weighted = decide_weighted_sum(score, context);
  return decided(weighted.converges,
                 "Z is finite; sum |A| e^A has the exponent A + log(-A), written A here: " + weighted.reason);
}

}  // namespace

EntropyGrowth decide_entropy_growth(const Expr& score, const Context& context) {
  const SumDecision sum = decide_sum(score, context);
  if (sum.converges) {
    const SumDecision weighted = decide_weighted_sum(score, context);
    return {weighted.converges, "Z is finite; for A + log(-A), written A here: " + weighted.reason};
  }
  const LimitBounds size = limit(score, context);
  if (size.high.kind != Limit::Kind::plus_infinity) {
    return {false, "Z is infinite (" + sum.reason +
                       ") and A is bounded above by some M, so H_L >= log Z_L - M -> inf"};
  }
  if (size.low.kind != Limit::Kind::plus_infinity) {
    throw Undecided("A is unbounded above but does not tend to infinity");
  }
  // A → ∞ (theorem U1, docs/theorems.md): in each class of n, within a bounded distance of a function whose
  // increments tend to a limit; positive: H_L is bounded, zero: H_L → ∞.
  if (!near_exp_log(residue_classes(score, residue_modulus(score, context)), context)) {
    throw Undecided("A tends to infinity, and its bounds drift too far apart to tell its increments");
  }
  bool any_positive = false;
  bool any_zero = false;
  for (const LimitBounds& slope : class_limits(score / Expr::symbol(kIndex), context)) {
    if (!slope.settled()) throw Undecided("the increments of A have no settled limit");
    (sign(slope.low, context) > 0 ? any_positive : any_zero) = true;
  }
  if (any_positive && any_zero) throw Undecided("the increments of A differ between residue classes of n");
  if (any_positive)
    return {true, "A grows at least linearly: the last tokens take all the weight and H_L is bounded"};
  return {false, "A tends to infinity with increments that tend to 0, up to bounded changes: H_L -> inf"};
}

namespace {

Decision decide_limit(const Expr& score, bool bounded_content, const ScoreFunction& law,
                      const Context& context) {
  const std::string prefix = law.has_content && bounded_content ? kBiasDecides : "";
  const Decision decision = decide_finite_entropy(bounded_content ? law.bias : score, context);
  return {decision.truth, prefix + decision.reason};
}

Decision decide_uniform(const ScoreFunction& law, bool bounded_content, const Expr& bound,
                        const Context& context) {
  if (bounded_content) {  // |A - A'| <= M: H_L[A'] <= e^{2M} H_L[A] + 2M, both ways
    const EntropyGrowth growth = decide_entropy_growth(law.bias, context);
    return decided(growth.bounded, (law.has_content ? kBiasDecides : "") + growth.reason);
  }
  if (decide_sum(score_above(law, bound), context).converges) {
    const Decision decision = decide_finite_entropy(score_above(law, bound), context);
    return {decision.truth, "Z is finite for every content; " + decision.reason};
  }
  // Some content with unbounded entropy refutes; three are tried.
  const std::vector<std::pair<Expr, std::string>> contents = {
      {law.bias, "without content"},
      {score_above(law, bound), "with the largest content"},
      {score_below(law, bound), "with the smallest content"}};
  for (const auto& [score, which] : contents) {
    const EntropyGrowth growth = decide_entropy_growth(score, context);
    if (!growth.bounded) return fails(which + ", " + growth.reason);
  }
  throw Undecided(
      "Z is infinite for some content and |f| w is unbounded: contents between the extremes may level the "
      "last tokens");
}

}  // namespace

Decision decide_entropy(EntropyReading reading, const ScoreFunction& law, const Expr& bound,
                        const Context& context) {
  if (law.window && (reading == EntropyReading::uniform || !law.depends_on_length())) {
    std::int64_t keys = *law.window;
    if (law.two_sided) keys = 2 * keys - (law.first == 0 ? 1 : 0);
    return holds("a window of " + counted(*law.window, "key") + (law.two_sided ? " to each side" : "") +
                 ": H <= log " + std::to_string(keys));
  }
  if (law.depends_on_length()) return decide_with_length(reading, law, bound, context);
  const bool bounded_content = limit(amplitude(law, bound), context).high.kind == Limit::Kind::finite;
  switch (reading) {
    case EntropyReading::limit:
      return decide_limit(score_above(law, bound), bounded_content, law, context);
    case EntropyReading::some_content:
      return decide_limit(score_below(law, bound), bounded_content, law, context);
    case EntropyReading::uniform:
      return decide_uniform(law, bounded_content, bound, context);
  }
  return {};
}

}  // namespace gpe::theory
