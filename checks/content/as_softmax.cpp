#include "checks/content/as_softmax.h"

namespace gpe::checks {

using theory::Expr;

std::optional<theory::ScoreFunction> as_softmax(const theory::ScoreFunction& law,
                                                const theory::Rational& bound) {
  if (law.normalizer == theory::Normalizer::softmax) return law;
  if (law.normalizer != theory::Normalizer::sigmoid) return std::nullopt;
  const auto log_sigmoid = [](const Expr& score) { return -theory::log(Expr(1) + theory::exp(-score)); };
  const Expr low = log_sigmoid(theory::score_below(law, Expr(bound)));
  const Expr high = log_sigmoid(theory::score_above(law, Expr(bound)));
  theory::ScoreFunction result = law;
  result.normalizer = theory::Normalizer::softmax;
  result.softcap.reset();
  result.transform = theory::Transform::identity;
  result.norm = Expr(1);
  result.has_content = law.has_content && bound.sign() > 0;
  result.bias = result.has_content ? (low + high) / Expr(2) : low;
  if (result.has_content) result.gain = (high - low) / Expr(theory::Rational(2) * bound);
  return result;
}

}  // namespace gpe::checks
