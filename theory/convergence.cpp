#include "theory/convergence.h"

#include "theory/expr_print.h"
#include "theory/form_expr.h"
#include "theory/germ.h"

namespace gpe::theory {

namespace {

std::string sum_of_logs(int count) {
  std::string text;
  std::string name = "n";
  for (int k = 0; k < count; ++k) {
    name = "log(" + name + ")";
    text += " + " + name;
  }
  return text;
}

Expr iterated_log(int depth) {
  Expr result = Expr::symbol(kIndex);
  for (int k = 0; k < depth; ++k) result = log(result);
  return result;
}

// `what`: how the germ relates to A(n): the thing itself, or one of its bounds.
enum class Bound { exact, above, below };

SumDecision climb(Multiseries& series, const SeriesPtr& score, Bound what) {
  const Context& context = series.context();
  SeriesPtr rest = score;
  for (int level = 0;; ++level) {
    const std::string name =
        what == Bound::exact ? "A(n)"
                             : (what == Bound::above ? "an upper bound of A(n)" : "a lower bound of A(n)");
    const std::string left = name + sum_of_logs(level);
    const std::string rung = to_text(iterated_log(level + 1));
    Leading lead;
    const Size size = series.size(rest, &lead);
    if (size != Size::infinite) {
      const std::string limit = size == Size::finite ? to_text(lead.coefficient) : "0";
      return {false, level, Expr(0),
              left + " tends to " + limit + ", and stays above -" + rung + ": the sum diverges"};
    }
    const Expr dominant = to_expr(lead.coefficient) * series.expression(lead.monomial);
    const std::string shape = left + " ~ " + to_text(dominant);
    const Monomial target = series.leading(series.iterated_log(level + 1))->monomial;
    const int order = series.compare(lead.monomial, target);
    if (order > 0) {
      const bool converges = context.sign(lead.coefficient) < 0;
      return {converges, level, dominant,
              shape + ", which outweighs " + rung + ": the sum " + (converges ? "converges" : "diverges")};
    }
    if (order < 0) {
      return {false, level, dominant, shape + " = o(" + rung + "), above -" + rung + ": the sum diverges"};
    }
    const int against = context.sign(lead.coefficient + Form(1));
    if (against != 0) {
      const bool converges = against < 0;
      return {converges, level, dominant,
              shape + ", coefficient " + (converges ? "below" : "above") + " -1: the sum " +
                  (converges ? "converges" : "diverges")};
    }
    rest = series.add(rest, series.iterated_log(level + 1));
  }
}

SumDecision climb_germ(const Expr& score, const Context& context) {
  Multiseries series(context);
  const Germ germ = GermExpander(series).expand(score);
  SumDecision above = climb(series, germ.high, germ.exact() ? Bound::exact : Bound::above);
  if (germ.exact() || above.converges) return above;
  SumDecision below = climb(series, germ.low, Bound::below);
  if (!below.converges) return below;
  throw Undecided("bounds do not settle the sum: its upper bound diverges (" + above.reason +
                  ") and its lower bound converges (" + below.reason + ")");
}

SumDecision over_residues(const Expr& score, const Context& context) {
  const std::int64_t modulus = residue_modulus(score, context);
  SumDecision result;
  for (const Expr& part : residue_classes(score, modulus)) {
    result = climb_germ(part, context);
    if (!result.converges) break;
  }
  if (modulus > 1) {
    result.reason += result.converges
                         ? " (in each of the " + std::to_string(modulus) + " residue classes of n)"
                         : " (in a residue class of n modulo " + std::to_string(modulus) + ")";
  }
  return result;
}

}  // namespace

SumDecision decide_sum(const Expr& score, const Context& context) { return over_residues(score, context); }

SumDecision decide_weighted_sum(const Expr& score, const Context& context) {
  return over_residues(score + log(-score), context);
}

}  // namespace gpe::theory
