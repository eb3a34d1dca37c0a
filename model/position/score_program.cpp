#include "model/position/score_program.h"
// Tests: tests/model/position/positions_test.cpp
#include <algorithm>
#include <cmath>

#include "theory/exact/context.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

using theory::Expr;
using theory::Transform;

namespace {

constexpr double kMaxAngleError = 1e-9;

Content content_of(const theory::ScoreFunction& law) {
  switch (law.transform) {
    case Transform::identity:
      return Content::dot_product;
    case Transform::rotation:
    case Transform::scaled_rotation:
      return Content::rotation;
    case Transform::hyperbolic:
      return Content::hyperbolic;
    case Transform::none:
      return Content::none;
  }
  return Content::none;
}

// alpha = "measured" is alpha0·(1 + measured entropy), as "self-entropy" is with H(n).
theory::ScoreFunction with_alpha(theory::ScoreFunction law) {
  if (law.rotation.alpha != theory::Alpha::measured) return law;
  const bool scaled = std::ranges::any_of(law.parameters, [](const auto& p) { return p.name == "alpha0"; });
  const Expr alpha = (scaled ? Expr::symbol("alpha0") : Expr(1)) * (Expr(1) + Expr::symbol(kMeasuredEntropy));
  law.rotation.angle = substitute(law.rotation.angle, "alpha", alpha);
  return law;
}

ExpressionTape compile(const theory::ScoreFunction& law, const std::vector<std::string>& learned,
                       const theory::ConstantOracle& oracle) {
  const Expr n = Expr::symbol(theory::kIndex);
  Expr cosine(1);
  Expr sine(0);
  if (content_of(law) == Content::rotation) {
    cosine = law.rotation.scale * call(theory::Function::cos, {law.rotation.angle});
    sine = law.rotation.scale * call(theory::Function::sin, {law.rotation.angle});
  } else if (content_of(law) == Content::hyperbolic) {
    const Expr grows = exp((law.hyperbolic.rate - law.hyperbolic.decay) * n);
    const Expr falls = exp(-(law.hyperbolic.rate + law.hyperbolic.decay) * n);
    cosine = (grows + falls) / Expr(2);
    sine = (grows - falls) / Expr(2);
  }
  const bool blocks = content_of(law) == Content::rotation || content_of(law) == Content::hyperbolic;
  const Shape of_block = blocks ? Shape::by_block_and_distance : Shape::scalar;
  return {{{"bias", law.bias, Shape::by_distance},
           {"gain", law.gain, Shape::by_distance},
           {"the transform", cosine, of_block},
           {"the transform", sine, of_block},
           {"softcap", law.softcap.value_or(Expr(0)), Shape::scalar},
           {"sink", law.sink.value_or(Expr(0)), Shape::scalar}},
          law.bias,
          learned,
          oracle,
          law.rotation.alpha == theory::Alpha::measured ? std::vector<std::string>{kMeasuredEntropy}
                                                        : std::vector<std::string>{}};
}

const theory::ScoreFunction& checked(const theory::ScoreFunction& law,
                                     const std::vector<std::string>& learned) {
  if (law.turns() && law.rotation.alpha == theory::Alpha::frozen_pair) {
    throw theory::SpecError(
        "alpha = \"frozen-pair\" is a different number for every pair of tokens, found by "
        "iteration: no model can be trained with it; use \"self-entropy\" or \"measured\"");
  }
  for (const std::string& name : learned) {
    if (law.keys_selected && law.normalizer_parameter->mentions(name))
      throw theory::SpecError(
          "k of normalizer \"top-k\" mentions '" + name +
          "', which is learned; a number of keys has no gradient: expected a k without it");
  }
  return law;
}

}  // namespace

ScoreProgram::ScoreProgram(const theory::ScoreFunction& law, const std::vector<std::string>& learned,
                           const theory::ConstantOracle& oracle)
    : program_(compile(at_values(with_alpha(checked(law, learned)), learned), learned, oracle)),
      content_(content_of(law)),
      layout_(law.rotation.layout),
      blocks_(law.head_dim / 2),
      first_(law.first),
      last_(law.last().value_or(kNoLast)),
      has_softcap_(law.softcap.has_value()),
      has_sink_(law.sink.has_value()),
      normalizer_(law.normalizer),
      keys_selected_(law.keys_selected.value_or(0)),
      measures_entropy_(law.rotation.alpha == theory::Alpha::measured) {
  if (law.transform != Transform::rotation || measures_entropy_ || program_.depends_on_parameters(kCosine) ||
      program_.depends_on_length(kCosine)) {
    return;
  }
  const theory::ScoreFunction settled = at_values(law, learned);
  angle_.emplace(std::vector<ProgramOutput>{{"angle", settled.rotation.angle, Shape::by_block_and_distance}},
                 settled.bias, std::vector<std::string>{}, oracle);
}

std::optional<std::vector<double>> ScoreProgram::frequencies(std::int64_t count) const {
  if (!angle_) return std::nullopt;
  const std::int64_t from = std::max<std::int64_t>(first_, 1);
  const std::int64_t capacity = std::max(count, from + 1) - first_;
  TapeEvaluator run(*angle_, first_, capacity,
                    blocks_);  // from the first distance on, as H(n) counts from there
  run.evaluate({}, 0, capacity);
  const auto angle = run.output(0);
  std::vector<double> result;
  for (std::int64_t j = 0; j < blocks_; ++j) {
    const double frequency =
        angle[static_cast<std::size_t>(j * capacity + from - first_)] / static_cast<double>(from);
    for (std::int64_t i = 0; i < capacity; ++i) {
      const double linear = static_cast<double>(first_ + i) * frequency;
      const double error = angle[static_cast<std::size_t>(j * capacity + i)] - linear;
      if (std::abs(error) > kMaxAngleError) return std::nullopt;
    }
    result.push_back(frequency);
  }
  return result;
}

}  // namespace gpe::model
