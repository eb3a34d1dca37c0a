// A plain score in place of a family of scores: one constant gate, one query, or the mean over a random
// content. Tests: tests/theory/properties/path_test.cpp, tests/theory/properties/property_query_test.cpp
#include "theory/exact/decision.h"
#include "theory/score/score_function.h"

namespace gpe::theory {

Encoding with_one_gate_in_bias(Encoding encoding) {
  if (!encoding.path || encoding.path->low != encoding.path->high || encoding.path->low_open ||
      encoding.path->high_open)
    return encoding;
  encoding.bias = encoding.bias + Expr::symbol(kIndex) * encoding.path->high;
  std::string& text = encoding.formulas["bias"];
  text += (text.empty() ? "n*(" : " + n*(") + encoding.formulas["high"] + ")";
  for (const char* key : {"low", "high", "open", "mean", "mean_exp"}) encoding.formulas.erase(key);
  encoding.path.reset();
  return encoding;
}

ScoreFunction with_constant_gate(const ScoreFunction& law, const Expr& gate) {
  ScoreFunction result = law;
  result.path.reset();
  result.bias = law.bias + Expr::symbol(kIndex) * gate;
  return result;
}

ScoreFunction with_query(const ScoreFunction& law, const Expr& r) {
  ScoreFunction result = law;
  result.query.reset();
  result.bias = law.bias + r * law.query->shape;
  return result;
}

ScoreFunction with_extreme_query(const ScoreFunction& law, int times) {
  ScoreFunction result = law;
  result.query.reset();
  result.bias = law.bias + Expr(times) * law.query->radius * abs(law.query->shape);
  return result;
}

std::string ContentLaw::name() const {
  return (kind == Kind::gaussian ? "gaussian:" : "sub-gaussian:") + deviation.str();
}

ScoreFunction without_content(const ScoreFunction& law) {
  ScoreFunction result = law;
  result.content_law.reset();
  result.softcap.reset();
  result.has_content = false;
  result.transform = Transform::none;
  result.gain = Expr(1);
  result.norm = Expr(0);
  return result;
}

ScoreFunction with_mean_content(const ScoreFunction& law) {
  if (law.depends_on_length()) throw Undecided("a law of the content, in a score that depends on L");
  if (law.softcap) throw Undecided("a law of the content under a soft cap");
  const bool stretches =
      law.transform == Transform::scaled_rotation || law.transform == Transform::hyperbolic;
  if (stretches) throw Undecided("the deviation of c(n) depends on the direction of q, as W(n) stretches");
  ScoreFunction result = without_content(law);
  if (law.has_content)
    result.bias = law.bias + Expr(law.content_law->deviation * law.content_law->deviation / Rational(2)) *
                                 law.gain * law.gain;
  return result;
}

}  // namespace gpe::theory
