#include "theory/asymptotics/convergence.h"

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/limit_points.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::theory {

namespace {

// Of a residue class, n = 2*k + 1, the score is a function of k.
struct Index {
  std::string name = kIndex;
  std::string distance = kIndex;

  std::string text(const Expr& e) const { return to_text(substitute(e, kIndex, Expr::symbol(name))); }
};

Index index_of_class(std::int64_t modulus, std::int64_t residue) {
  if (modulus == 1) return {};
  return {"k", std::to_string(modulus) + "*k" + (residue == 0 ? "" : " + " + std::to_string(residue))};
}

std::string sum_of_logs(int count, std::string name) {
  std::string text;
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

// `what`: how the enclosure relates to A(n): the thing itself, or one of its bounds.
enum class Bound { exact, above, below };

SumDecision compare_with_scale(Multiseries& series, const SeriesPtr& score, Bound what, const Index& index) {
  const Context& context = series.context();
  SeriesPtr rest = score;
  for (int level = 0;; ++level) {
    std::string left = what == Bound::above ? "an upper bound of " : "a lower bound of ";
    if (what == Bound::exact) left.clear();
    left += "A(" + index.distance + ")" + sum_of_logs(level, index.name);
    const std::string log_text = index.text(iterated_log(level + 1));
    Leading lead;
    const Size size = series.size(rest, &lead);
    if (size != Size::infinite) {
      const std::string limit = size == Size::finite ? to_text(lead.coefficient) : "0";
      return {false, level,
              left + " tends to " + limit + ", and stays above -" + log_text + ": the sum diverges"};
    }
    const std::string shape =
        left + " ~ " + index.text(to_expr(lead.coefficient) * series.expression(lead.monomial));
    const Monomial target = series.leading(series.iterated_log(level + 1))->monomial;
    const int order = series.compare(lead.monomial, target);
    if (order > 0) {
      const bool converges = context.sign(lead.coefficient) < 0;
      return {
          converges, level,
          shape + ", which outweighs " + log_text + ": the sum " + (converges ? "converges" : "diverges")};
    }
    if (order < 0) {
      return {false, level, shape + " = o(" + log_text + "), above -" + log_text + ": the sum diverges"};
    }
    const int against = context.sign(lead.coefficient + Form(1));
    if (against != 0) {
      const bool converges = against < 0;
      return {converges, level,
              shape + ", coefficient " + (converges ? "below" : "above") + " -1: the sum " +
                  (converges ? "converges" : "diverges")};
    }
    rest = series.add(rest, series.iterated_log(level + 1));
  }
}

SumDecision decide_enclosure(const Expr& score, const Index& index, const Context& context) {
  Multiseries series(context);
  const AsymptoticEnclosure enclosure = EnclosureExpander(series).expand(score);
  SumDecision above =
      compare_with_scale(series, enclosure.high, enclosure.exact() ? Bound::exact : Bound::above, index);
  if (enclosure.exact() || above.converges) return above;
  SumDecision below = compare_with_scale(series, enclosure.low, Bound::below, index);
  if (!below.converges) return below;
  throw Undecided("bounds do not settle the sum: its upper bound diverges (" + above.reason +
                  ") and its lower bound converges (" + below.reason + ")");
}

SumDecision over_residues(const Expr& score, const Context& context) {
  const std::int64_t modulus = residue_modulus(score, context);
  SumDecision result;
  std::int64_t residue = 0;
  for (const Expr& part : residue_classes(score, modulus)) {
    result = decide_enclosure(part, index_of_class(modulus, residue++), context);
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

SumDecision decide_sum(const Expr& score, const Context& context) {
  try {
    return over_residues(score, context);
  } catch (const Undecided&) {
    const std::optional<LimitPoints> points = limit_points(score, context);
    if (!points || points->high.low.kind == Limit::Kind::minus_infinity) throw;
    return {false, 0,
            point_text("limsup A(n)", points->high, true) +
                ", so that the terms do not tend to 0: the sum diverges"};
  }
}

SumDecision decide_weighted_sum(const Expr& score, const Context& context) {
  return over_residues(score + log(-score), context);
}

}  // namespace gpe::theory
