// Gradient positional sensitivity: does ∂A/∂q depend on n? n runs over the distances that are seen (theorems
// G1 and G2, docs/theorems.md).
// Tests: tests/theory/properties/gps_test.cpp, tests/theory/properties/gps_definition_test.cpp
#include <algorithm>

#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/product_to_sum.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"
#include "theory/score/every_distance.h"
#include "theory/score/gradient_matrix.h"

namespace gpe::theory {

namespace {

// Theorem G1 (docs/theorems.md): an angle c·n/(1 + H(n)), c > 0, H the entropy of the law cut at n, turns by
// no multiple of π between infinitely many pairs of neighbours. Hypotheses: no window and no L; and either
// Σ|b|e^b = ∞, and the bias is bounded above and within a bounded distance of an exp-log function, or
// Σ|b|e^b < ∞, n|b|e^b → 0, and n²|b|e^b tends to 0 or to ∞.
bool turns_by_entropy(const ScoreFunction& law, const Expr& angle, const Context& context) {
  if (law.window || law.bias.mentions(kLength)) return false;
  const Expr entropy = Expr::symbol("H");
  const Expr open =
      rewrite(angle, [&](const Expr& e) { return e.as<node::CutEntropy>() == nullptr ? e : entropy; });
  const Expr n = Expr::symbol(kIndex);
  const Form factor = to_form(substitute(open, "H", Expr(0)) / n, context);
  const Expr difference = open * (Expr(1) + entropy) - to_expr(factor) * n;
  if (varies(factor) || !cancels(to_form(difference, context)) || context.sign(factor) <= 0) return false;
  if (!decide_sum(law.bias, context).converges || !decide_weighted_sum(law.bias, context).converges) {
    return near_exp_log({law.bias}, context) &&
           limit(law.bias, context).high.kind != Limit::Kind::plus_infinity;
  }
  const Expr weight = law.bias + log(-law.bias);
  if (limit(weight + log(n), context).high.kind != Limit::Kind::minus_infinity) return false;
  const LimitBounds decay = limit(weight + Expr(2) * log(n), context);
  return decay.settled() && decay.low.kind != Limit::Kind::finite;
}

// One block that turns so, and is not 0 far away.
bool turns_by_entropy(const ScoreFunction& law, const GradientMatrix& matrix, const Context& context) {
  return std::ranges::any_of(matrix.blocks(), [&](const GradientMatrix::Block& block) {
    return mentions_cut_entropy(block.angle) && !block.factor.mentions(kLength) &&
           turns_by_entropy(law, block.angle, context) &&
           (!block.factor.mentions(kIndex) ? !context.is_zero(to_form(block.factor, context))
                                           : eventual_sign(block.factor * block.factor, context) > 0);
  });
}

std::string between(const ScoreFunction& law, std::int64_t n) {
  return "between n = " + std::to_string(law.first) + " and n = " + std::to_string(n);
}

// The first decision, or the second where the first does not hold: either is enough.
template <class First, class Second>
Decision either(const First& first, const Second& second) {
  auto tried = attempt_in_time(first);
  if (tried && tried->truth == Truth::holds) return *tried;
  Decision decision = second();
  if (decision.truth != Truth::holds && !tried) tried.why().raise();
  return decision;
}

// What an undecided answer says.
std::string open_question(const std::string& what, const GradientMatrix& matrix) {
  const bool unknown = std::ranges::any_of(matrix.blocks(), &GradientMatrix::Block::unknown);
  return what + (unknown ? ", with an alpha that is not known here" : "");
}

Decision same_everywhere() { return fails("f(n) W(n) is the same at every n"); }

// A distance that is seen at which M(n) is not 0.
std::optional<std::int64_t> where_not_zero(const ScoreFunction& law, const GradientMatrix& matrix,
                                           const Context& context) {
  const auto nothing = matrix.is_zero(law.first);
  if (!nothing) throw Undecided("cannot tell whether f(n) W(n) is 0 at n = " + std::to_string(law.first));
  if (!*nothing) return law.first;
  const auto differs = [&](std::int64_t n) -> std::optional<bool> {
    const auto zero = matrix.is_zero(n);
    return zero ? std::optional(!*zero) : std::nullopt;
  };
  return where_it_differs(
      law,
      {differs, [&](std::int64_t n) { return matrix.same_from(n, law.first); }, "f(n) W(n) is 0 at every n"},
      context);
}

// MᵀM is not constant.
Decision size_changes(const ScoreFunction& law, const GradientMatrix& matrix, const Context& context) {
  const GradientMatrix::Block* changed = nullptr;
  const auto n = where_it_differs(
      law,
      {[&](std::int64_t m) { return matrix.size_differs(m, law.first, &changed); },
       [&](std::int64_t m) { return matrix.same_size_from(m, law.first); }, "|f(n) W(n)| is constant"},
      context);
  if (!n) return fails("|dA/dq| is the same at every n");
  return holds("|dA/dq| = " + to_text(abs(changed->factor)) + " |k|/sqrt(d) for some k" +
               (law.softcap ? " at q = 0" : "") + ", which changes " + between(law, *n));
}

// Under a soft cap s the gradient is f sech²(x/s) W k/√d, x = q'Wk/√d. Where MᵀM is constant and not 0, its
// length changes for some q and k unless W(n) is W(first) or its negative.
Decision slope_changes(const ScoreFunction& law, const GradientMatrix& matrix, const Context& context) {
  const Decision same = fails("|dA/dq| is the same at every n");
  if (!law.softcap) return same;
  const auto not_zero = where_not_zero(law, matrix, context);
  if (!not_zero) return same;
  if (*not_zero != law.first)
    return holds("|dA/dq| is 0 at n = " + std::to_string(law.first) +
                 " and not at n = " + std::to_string(*not_zero));
  const GradientMatrix w(law, GradientMatrix::Of::transform, context);
  const auto differs = [&](std::int64_t n) -> std::optional<bool> {
    const auto size = w.size_differs(n, law.first);
    if (size == true) return true;
    const auto leaves = w.leaves_line(n, law.first);
    return size || leaves == true ? leaves : std::nullopt;
  };
  const auto n = where_it_differs(
      law,
      {differs,
       [&](std::int64_t m) { return w.same_size_from(m, law.first) && w.on_line_from(m, law.first); },
       "W(n) changes by its sign only"},
      context);
  if (!n) return same;
  return holds(
      "the slope of the soft cap at q'W(n)k/sqrt(d), and with it |dA/dq|, changes for some q and k " +
      between(law, *n));
}

Decision decide_norm(const ScoreFunction& law, const GradientMatrix& matrix, const Context& context) {
  return either([&] { return size_changes(law, matrix, context); },
                [&] { return slope_changes(law, matrix, context); });
}

// M is not constant.
Decision matrix_changes(const ScoreFunction& law, const GradientMatrix& matrix, const Context& context) {
  const auto at_all = [&] {
    if (turns_by_entropy(law, matrix, context)) return holds("W(n) turns at some n (theorem G1)");
    const auto n = where_it_differs(law,
                                    {[&](std::int64_t m) { return matrix.differs(m, law.first); },
                                     [&](std::int64_t m) { return matrix.same_from(m, law.first); },
                                     open_question("f(n) W(n) is constant", matrix)},
                                    context);
    if (!n) return same_everywhere();
    const bool turns =
        std::ranges::any_of(matrix.blocks(), &GradientMatrix::Block::turns) &&
        GradientMatrix(law, GradientMatrix::Of::transform, context).differs(*n, law.first) == true;
    std::string what = "f(n) W(n) changes ";
    if (law.transform == Transform::identity) what = "f(n) = " + to_text(law.gain) + " changes ";
    if (turns) what = "W(n) turns ";
    return holds(what + between(law, *n));
  };
  if (law.transform == Transform::identity) return at_all();
  return either([&] { return size_changes(law, matrix, context); }, at_all);
}

// Where M is constant and not 0, sech²(x/s) changes for some q and k as |f| = |M|/|W| does.
Decision decide_vector(const ScoreFunction& law, const GradientMatrix& matrix, const Context& context) {
  const auto capped = [&] {
    if (!law.softcap || !where_not_zero(law, matrix, context)) return same_everywhere();
    ScoreFunction gain = law;
    gain.transform = Transform::identity;
    const Decision decision =
        size_changes(gain, GradientMatrix(gain, GradientMatrix::Of::gradient, context), context);
    return decision.truth == Truth::holds
               ? holds("f(n) W(n) is not 0, and |f(n)| changes, and with it the slope of the soft cap")
               : same_everywhere();
  };
  return either([&] { return matrix_changes(law, matrix, context); }, capped);
}

Decision decide_scalar(const ScoreFunction& law, const GradientMatrix& matrix, const Context& context) {
  const auto from = where_not_zero(law, matrix, context);
  if (!from) return fails("f(n) W(n) is 0 at every n");
  if (turns_by_entropy(law, matrix, context))
    return fails("W(n) turns at some n (theorem G1), so dA/dq is not g(n) R k/sqrt(d) with one matrix R");
  auto leaving = attempt_in_time([&] {
    return where_it_differs(law,
                            {[&](std::int64_t m) { return matrix.leaves_line(m, *from); },
                             [&](std::int64_t m) { return matrix.on_line_from(m, *from); },
                             open_question("W(n) is a multiple of one matrix", matrix)},
                            context);
  });
  if (leaving && *leaving)
    return fails("f(n) W(n) at n = " + std::to_string(**leaving) +
                 " is not a multiple of that at n = " + std::to_string(*from));
  const Decision vector = decide_vector(law, matrix, context);
  if (vector.truth == Truth::holds && !leaving) leaving.why().raise();
  const bool identity = law.transform == Transform::identity;
  if (vector.truth != Truth::holds) return identity ? fails("dA/dq = g k/sqrt(d) with a constant g") : vector;
  return holds((identity ? "dA/dq = g(n) k/sqrt(d): " : "dA/dq = g(n) R k/sqrt(d) with one matrix R: ") +
               vector.reason);
}

}  // namespace

Decision decide_gps(GradientReading reading, const ScoreFunction& law, const Context& context) {
  if (!law.has_content) return fails("the score has no content, so dA/dq = 0");
  if (!sees(law, law.first + 1, context)) return fails("a window of one key");
  const GradientMatrix matrix(law, GradientMatrix::Of::gradient, context);
  switch (reading) {
    case GradientReading::scalar:
      return decide_scalar(law, matrix, context);
    case GradientReading::norm:
      return decide_norm(law, matrix, context);
    case GradientReading::vector:
      return decide_vector(law, matrix, context);
  }
  return {};
}

Expr gradient_rate(const ScoreFunction& law, const Context& context) {
  if (!law.has_content && !law.query) return Expr(0);
  Expr size = law.has_content ? abs(law.gain) * law.norm : Expr(0);
  if (law.query) size = size + abs(law.query->shape);
  if (!size.mentions(kIndex) && size.mentions(kLength)) return size;
  const std::vector<Expr> terms = dominant_terms(size, 1, context);
  return terms.empty() ? Expr(0) : terms.front();
}

}  // namespace gpe::theory
