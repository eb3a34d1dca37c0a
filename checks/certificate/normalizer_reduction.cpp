// Tests: tests/cli/normalizers.cmake
#include "checks/certificate/normalizer_reduction.h"

namespace gpe::checks {

using theory::CorrelationReading;
using theory::EntropyReading;
using theory::Expr;
using theory::Normalizer;
using theory::NormalizationReading;
using theory::Property;
using theory::ReadingOf;
using theory::Verdict;

namespace {

constexpr std::int64_t kMostKeys = 1000000000;  // that a certificate takes for a window

// A score that decides, as the verifier writes it: only where w = 1 and there is no soft cap.
std::optional<Expr> score_of(const theory::ScoreFunction& law, bool least, bool without_content, const Expr& bound) {
  const bool plain = law.transform == theory::Transform::identity || law.transform == theory::Transform::rotation;
  if (without_content || !law.has_content) return law.bias;
  if (!plain || law.softcap || bound.number() == nullptr) return std::nullopt;
  const Expr size = abs(law.gain) * bound;
  return least ? law.bias - size : law.bias + size;
}

// Where A's upper limit decides: that of a score against a level, or its way to infinity.
std::vector<Reduction> by_level(const theory::ScoreFunction& law, const theory::ScoreFunction& plain,
                                const theory::Finding& finding, const Expr& bound) {
  const ReadingOf which = finding.reading->which;
  const bool holds = finding.verdict == Verdict::holds;
  const bool least = which == ReadingOf(NormalizationReading::some_content) || which == ReadingOf(EntropyReading::some_content);
  const bool mean = which == ReadingOf(NormalizationReading::expected) && !holds;
  const bool relu = law.normalizer == Normalizer::relu;
  if (finding.region != (holds ? "always" : "never") || (relu && !holds && which == ReadingOf(EntropyReading::uniform)))
    return {};
  const auto score = score_of(law, least, mean, bound);
  if (!score) return {};
  const auto with_bias = [&](const Expr& bias) {
    theory::ScoreFunction result = plain;
    result.bias = bias;
    return result;
  };
  const theory::Reading& sign = theory::reading(CorrelationReading::with_sign);
  if (!holds && relu) return {{with_bias(*score), &sign, true, "0"}};
  if (!holds) return {{with_bias(-*score), &theory::reading(CorrelationReading::weight)}};
  std::vector<Reduction> result;
  for (const char* level : {"-1", "-1/2", "-1/10", "-1/100", "-1/1000", "0", "10", "1000", "1000000"}) {
    const theory::Rational number = *theory::Rational::parse(level);
    if (relu && number.sign() >= 0) break;
    result.push_back({with_bias(*score - Expr(number)), &sign, true, level});
  }
  return result;
}

}  // namespace

std::vector<Reduction> reductions_of(const theory::ScoreFunction& law, const theory::Finding& finding,
                                     const Expr& bound) {
  if (finding.verdict != Verdict::holds && finding.verdict != Verdict::fails && finding.verdict != Verdict::depends)
    return {};
  const ReadingOf which = finding.reading->which;
  const Property property = finding.reading->property;
  theory::ScoreFunction plain = law;
  plain.normalizer = Normalizer::softmax;
  plain.normalizer_parameter.reset();
  if (law.normalizer == Normalizer::top_k) {
    const theory::ScoreFunction closed = theory::at_values(law);
    const theory::Rational* k = closed.normalizer_parameter->number();
    if (k == nullptr || theory::Rational(kMostKeys) < *k) return {};
  }
  if (property == Property::gps || property == Property::ldcp || law.window) {
    const bool positive = law.normalizer == Normalizer::relu && which == ReadingOf(CorrelationReading::weight) && !law.window;
    return {{plain, positive ? &theory::reading(CorrelationReading::with_sign) : finding.reading}};
  }
  const bool uniform = which == ReadingOf(EntropyReading::uniform);
  if (law.normalizer == Normalizer::sigmoid) {
    if (uniform) return {{plain, &theory::reading(EntropyReading::limit)}};
    if (which != ReadingOf(NormalizationReading::expected)) return {{plain, finding.reading}};
    if (finding.verdict == Verdict::holds && finding.region == "always") return {{plain, finding.reading}};
    if (finding.verdict == Verdict::fails && finding.region == "never")
      return {{plain, &theory::reading(NormalizationReading::some_content)}};
    return {};
  }
  if (law.normalizer == Normalizer::top_k && uniform) {
    plain.window_size = law.normalizer_parameter;
    plain.window = theory::at_values(law).normalizer_parameter->number()->to_int64();
    return {{plain, finding.reading}};
  }
  return by_level(law, plain, finding, bound);
}

}  // namespace gpe::checks
