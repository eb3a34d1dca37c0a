// Long-distance correlation: what is left of the score, of its content and of a token's weight far away.
// Tests: tests/theory/score/encodings_verdicts_test.cpp, tests/theory/properties/length_test.cpp
#include "theory/asymptotics/limit.h"
#include "theory/asymptotics/limit_points.h"
#include "theory/asymptotics/mean_value.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/property.h"
#include "theory/source/text_list.h"

namespace gpe::theory {

namespace {

std::string limit_text(const std::string& what, const SupremumBounds& bounds) {
  const std::string low = to_text(bounds.low);
  const std::string high = to_text(bounds.high);
  return "limsup " + what + (low == high ? " = " + low : " lies in [" + low + ", " + high + "]");
}

// Is limsup |bias| > 0?
Decision decide_literal(const ScoreFunction& law, const Context& context) {
  const SupremumBounds bounds = limsup(abs(law.bias), context);
  if (sign(bounds.low, context) > 0) return holds(limit_text("|b|", bounds));
  if (sign(bounds.high, context) == 0) return fails("E A(n) = b(n) tends to 0");
  const auto mean = mean_value(law.bias, context);
  if (mean && !context.is_zero(mean->mean)) {
    return holds("b oscillates about its mean " + to_text(mean->mean) + ", which is not 0 (theorem M1)");
  }
  if (mean && mean->has_oscillation) return holds("b oscillates with a positive mean square (theorem M1)");
  const auto points = limit_points(law.bias, context);
  if (points && (sign(points->low.high, context) < 0 || sign(points->high.low, context) > 0))
    return holds(point_text("liminf b", points->low, false) + ", " +
                 point_text("limsup b", points->high, true));
  throw Undecided(limit_text("|b|", bounds));
}

Decision decide_signed(const ScoreFunction& law, const Context& context) {
  const SupremumBounds bounds = limsup(law.bias, context);
  if (sign(bounds.low, context) > 0) return holds(limit_text("b", bounds));
  if (sign(bounds.high, context) <= 0) return fails(limit_text("b", bounds) + ", not above 0");
  const auto mean = mean_value(law.bias, context);
  if (mean && (context.sign(mean->mean) > 0 || (context.is_zero(mean->mean) && mean->has_oscillation))) {
    return holds("b oscillates about its mean " + to_text(mean->mean) + ", so limsup b > 0 (theorem M1)");
  }
  const auto points = limit_points(law.bias, context);
  if (points && sign(points->high.low, context) > 0) return holds(point_text("limsup b", points->high, true));
  if (points && sign(points->high.high, context) <= 0)
    return fails(point_text("limsup b", points->high, false) + ", not above 0");
  throw Undecided(limit_text("b", bounds));
}

Decision decide_weight(const ScoreFunction& law, const Context& context) {
  const SupremumBounds bounds = limsup(law.bias, context);
  if (bounds.low.kind != Limit::Kind::minus_infinity) return holds(limit_text("b", bounds) + " > -inf");
  if (bounds.high.kind == Limit::Kind::minus_infinity) return fails("b tends to -inf");
  const auto points = limit_points(law.bias, context);
  if (points && points->high.low.kind != Limit::Kind::minus_infinity)
    return holds(point_text("limsup b", points->high, true) + " > -inf");
  throw Undecided(limit_text("b", bounds));
}

// The largest content |f c| for B = 1, up to positive factors: for other B it lies between multiples of this.
Expr content_size(const ScoreFunction& law) {
  const bool capped = law.softcap && varies(law.norm);
  return capped ? amplitude(law, Expr(1)) : abs(law.gain) * law.norm;
}

Decision decide_content(const ScoreFunction& law, const Context& context) {
  if (!law.has_content) return fails("no content");
  const std::string name = law.softcap && varies(law.norm) ? "|f| s tanh(w/s)" : "|f| w";
  const SupremumBounds bounds = limsup(content_size(law), context);
  if (sign(bounds.low, context) > 0) return holds(limit_text(name, bounds));
  if (sign(bounds.high, context) == 0) return fails(name + " tends to 0");
  throw Undecided(limit_text(name, bounds));
}

Decision decide_probability(const ScoreFunction& law, const Context& context) {
  const Decision content = decide_content(law, context);
  if (content.truth == Truth::holds) {
    // eps = half the largest |f c|: x = qᵀWk/(|q||k|w) is symmetric about 0, so |A| >= eps at least when x
    // has the sign of b and |x| >= 1/2
    const bool orthogonal = law.transform == Transform::identity || law.transform == Transform::rotation;
    const std::string chance =
        orthogonal ? "I_{3/4}(" + Rational(law.head_dim - 1, 2).str() + ", 1/2)/2" : "some pi > 0";
    return holds(content.reason + "; with eps half the largest |f c|, P(|A| >= eps) >= " + chance +
                 " infinitely often");
  }
  const Decision literal = decide_literal(law, context);
  if (literal.truth == Truth::holds) {
    return holds(literal.reason + " while f c tends to 0: P(|A| >= eps) -> 1 along those n");
  }
  return fails("both |b| and the content tend to 0");
}

// With L the statement speaks of pairs n <= L. The diagonal n = L gives witnesses; bounds over n <= L refute.
Decision decide_with_diagonal(CorrelationReading reading, const ScoreFunction& law, const Context& context) {
  ScoreFunction diagonal = law;
  const Expr n = Expr::symbol(kIndex);
  diagonal.bias =
      substitute(simplify(law.bias, context), kLength, n);  // what cancels does not widen the bounds
  diagonal.gain = substitute(simplify(law.gain, context), kLength, n);
  diagonal.norm = substitute(law.norm, kLength, n);
  Decision decision = decide_ldcp(reading, diagonal, context);
  if (decision.truth == Truth::holds) {
    decision.reason += " (at n = L)";
    return decision;
  }
  const auto tends_to_zero = [&](const Expr& e) {
    return sign(length_bounds(abs(e), law, context).high, context) <= 0;
  };
  const bool bias_is_free_of_length = !law.bias.mentions(kLength);
  const Decision vanishes = fails("the largest over n <= L tends to 0: " + decision.reason);
  switch (reading) {
    case CorrelationReading::literal:
      if (bias_is_free_of_length) return decision;
      if (tends_to_zero(law.bias)) return vanishes;
      break;
    case CorrelationReading::with_sign: {
      if (bias_is_free_of_length) return decision;
      const Limit most = length_bounds(law.bias, law, context).high;
      if (sign(most, context) <= 0) return fails("b(n; L) <= " + to_text(most) + " + o(1) for all n <= L");
      break;
    }
    case CorrelationReading::probability:
      if (tends_to_zero(law.bias) && tends_to_zero(content_size(law))) return vanishes;
      break;
    case CorrelationReading::content:
      if (tends_to_zero(content_size(law))) return vanishes;
      break;
    case CorrelationReading::weight:
      if (bias_is_free_of_length) return decision;
      break;
  }
  throw Undecided("at n = L: " + decision.reason + "; other n <= L are not settled");
}

}  // namespace

Decision decide_ldcp(CorrelationReading reading, const ScoreFunction& law, const Context& context) {
  if (law.window) return fails("no token beyond a window of " + counted(*law.window, "key") + " is seen");
  if (law.depends_on_length()) return decide_with_diagonal(reading, law, context);
  switch (reading) {
    case CorrelationReading::literal:
      return decide_literal(law, context);
    case CorrelationReading::with_sign:
      return decide_signed(law, context);
    case CorrelationReading::probability:
      return decide_probability(law, context);
    case CorrelationReading::content:
      return decide_content(law, context);
    case CorrelationReading::weight:
      return decide_weight(law, context);
  }
  return {};
}

}  // namespace gpe::theory
