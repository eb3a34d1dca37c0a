// Tests: tests/cli/normalizers.cmake
#include "checks/certificate/normalizer_reduction.h"

namespace gpe::checks {

using theory::CorrelationReading;
using theory::EntropyReading;
using theory::Expr;
using theory::NormalizationReading;
using theory::Normalizer;
using theory::Property;
using theory::ReadingOf;
using theory::Verdict;

namespace {

constexpr std::int64_t kMaxKeys = 1000000000;  // that a certificate takes for a window

// A score that decides, as the verifier writes it: only where w = 1, there is no soft cap and B is a number,
// also of claims that content does not enter.
std::optional<Expr> score_of(const theory::ScoreFunction& law, bool least, bool without_content,
                             const Expr& bound) {
  const bool plain =
      law.transform == theory::Transform::identity || law.transform == theory::Transform::rotation;
  if ((law.has_content && !plain) || law.softcap || bound.number() == nullptr) return std::nullopt;
  if (without_content || !law.has_content) return law.bias;
  const Expr size = abs(law.gain) * bound;
  return least ? law.bias - size : law.bias + size;
}

// Where a limit of a score decides: against a level, or its way to infinity.
std::vector<Reduction> by_limit(const theory::ScoreFunction& law, const theory::ScoreFunction& plain,
                                const theory::Finding& finding, const Expr& bound) {
  const ReadingOf which = finding.reading->which;
  const bool holds = finding.verdict == Verdict::holds,
             entropy = finding.reading->property == Property::entropy_boundedness;
  const bool relu = law.normalizer == Normalizer::relu, stick = law.normalizer == Normalizer::stick_breaking;
  const bool some = which == ReadingOf(NormalizationReading::some_content) ||
                    which == ReadingOf(EntropyReading::some_content);
  const bool mean = which == ReadingOf(NormalizationReading::expected) && !holds;
  if (finding.region != (holds ? "always" : "never") ||
      (!holds && (stick || which == ReadingOf(EntropyReading::uniform))))
    return {};
  std::vector<Reduction> result;
  if (stick)
    result.push_back(
        {plain, &theory::reading(some ? EntropyReading::some_content : EntropyReading::limit), true});
  const auto score = score_of(law, some != stick, mean, bound);
  if (!score) return result;
  const auto with_bias = [&](const Expr& bias) {
    theory::ScoreFunction other = plain;
    other.bias = bias;
    return other;
  };
  const theory::Reading& sign = theory::reading(CorrelationReading::with_sign);
  const theory::Reading& weight = theory::reading(CorrelationReading::weight);
  if (!holds && relu) return {{with_bias(*score), &sign, true, true, "0"}};
  if (!holds) return {{with_bias(-*score), &weight, true}};
  if (entropy && law.normalizer == Normalizer::entmax) return {{with_bias(*score), &weight, true, true}};
  const Expr compared = stick ? -*score - log(Expr(1) + Expr::symbol(theory::kIndex)) : *score;
  for (const char* level : {"-1", "-1/2", "-1/10", "-1/100", "-1/1000", "0", "10", "1000", "1000000"}) {
    const theory::Rational number = *theory::Rational::parse(level);
    if (relu && number.sign() >= 0) break;
    result.push_back({with_bias(compared - Expr(number)), &sign, true, true, level});
  }
  return result;
}

// The claim with a window of one key, or of k.
Reduction in_window(theory::ScoreFunction plain, const Expr& keys, const theory::Reading& reading) {
  plain.window_size = keys;
  plain.window = theory::at_values(plain).window_size->number()->to_int64();
  return {plain, &reading};
}

}  // namespace

std::vector<Reduction> reductions_of(const theory::ScoreFunction& law, const theory::Finding& finding,
                                     const Expr& bound) {
  if (finding.verdict != Verdict::holds && finding.verdict != Verdict::fails &&
      finding.verdict != Verdict::depends)
    return {};
  const ReadingOf which = finding.reading->which;
  const Property property = finding.reading->property;
  theory::ScoreFunction plain = law;
  plain.normalizer = Normalizer::softmax;
  plain.normalizer_parameter.reset();
  if (law.normalizer == Normalizer::top_k) {
    const theory::ScoreFunction closed = theory::at_values(law);
    const theory::Rational* k = closed.normalizer_parameter->number();
    if (k == nullptr || theory::Rational(kMaxKeys) < *k) return {};
  }
  const bool weight = which == ReadingOf(CorrelationReading::weight);
  if (property == Property::gps || law.window || (property == Property::ldcp && !weight))
    return {{plain, finding.reading}};
  if (law.normalizer == Normalizer::stick_breaking &&
      (weight || property == Property::convergent_normalization))
    return {in_window(plain, Expr(1), *finding.reading)};
  if (weight && law.normalizer == Normalizer::entmax) {
    if (finding.verdict != Verdict::fails || finding.region != "never") return {};
    return {{plain, finding.reading, true}};
  }
  if (weight)
    return {{plain, law.normalizer == Normalizer::relu ? &theory::reading(CorrelationReading::with_sign)
                                                       : finding.reading}};
  const bool uniform = which == ReadingOf(EntropyReading::uniform);
  if (law.normalizer == Normalizer::sigmoid) {
    if (uniform) return {{plain, &theory::reading(EntropyReading::limit)}};
    if (which != ReadingOf(NormalizationReading::expected)) return {{plain, finding.reading}};
    if (finding.verdict == Verdict::holds && finding.region == "always") return {{plain, finding.reading}};
    if (finding.verdict == Verdict::fails && finding.region == "never")
      return {{plain, &theory::reading(NormalizationReading::some_content), true}};
    return {};
  }
  if (law.normalizer == Normalizer::top_k && uniform)
    return {in_window(plain, *law.normalizer_parameter, *finding.reading)};
  return by_limit(law, plain, finding, bound);
}

}  // namespace gpe::checks
