// Tests: tests/cli/gates.cmake, tests/certificates/library.cmake
#include "checks/certificate/path_reduction.h"

#include "theory/properties/deciding_score.h"

namespace gpe::checks {

using theory::CorrelationReading;
using theory::EntropyReading;
using theory::Expr;
using theory::Property;
using theory::Quantifier;
using theory::Rational;
using theory::ReadingOf;
using theory::Verdict;

std::vector<Reduction> gate_reductions(const theory::ScoreFunction& law, const theory::Finding& finding) {
  const theory::Path& path = *law.path;
  const theory::Reading& reading = *finding.reading;
  const bool holds = finding.verdict == Verdict::holds;
  if (finding.quantifier == Quantifier::none) return {{theory::with_constant_gate(law, Expr(0)), &reading}};
  if (const auto gate = theory::deciding_gate(reading, finding.quantifier, path))
    return {{theory::with_constant_gate(law, *gate), &reading}};
  if (finding.quantifier == Quantifier::random &&
      reading.which == ReadingOf(theory::NormalizationReading::expected)) {
    if (!path.random->mean_exp) return {};
    return {{theory::with_constant_gate(law, theory::log(*path.random->mean_exp)), &reading}};
  }
  if (finding.region != (holds ? "always" : "never")) return {};
  std::vector<Reduction> result;
  const auto add = [&](const Rational& part, const Expr& gate) {
    result.push_back({theory::with_constant_gate(law, gate), &reading, true, false, part.str()});
  };
  if (finding.quantifier == Quantifier::random) {
    if (reading.property == Property::entropy_boundedness &&
        (!holds || reading.which == ReadingOf(EntropyReading::uniform)))
      return {};
    for (const Rational& part :
         {Rational(1), Rational(1, 2), Rational(1, 10), Rational(1, 100), Rational(1, 1000)}) {
      const Rational signed_part = holds ? part : -part;
      if (path.random->mean) add(signed_part, *path.random->mean + Expr(signed_part));
    }
    return result;
  }
  if (holds && reading.which == ReadingOf(CorrelationReading::probability))
    result.push_back(
        {theory::with_constant_gate(law, Expr(0)), &theory::reading(CorrelationReading::content), true});
  const bool bounded_changes_matter =
      reading.property == Property::ldcp && reading.which != ReadingOf(CorrelationReading::weight);
  if (finding.quantifier == (holds ? Quantifier::some : Quantifier::every)) {
    std::vector<Rational> parts = {0, 1, {1, 2}, {1, 10}, 10, 100};
    const Rational *low = path.low ? path.low->number() : nullptr, *high = path.high.number();
    if (low != nullptr && high != nullptr && low->sign() < 0 && high->sign() > 0)
      parts.push_back(*high / (*high - *low));
    for (const Rational& part : parts) {
      const bool left_out =
          (part.is_zero() && path.high_open) || (path.low && part == Rational(1) && path.low_open);
      if ((bounded_changes_matter && left_out) || (path.low && part > Rational(1))) continue;
      add(part, path.low ? path.high + Expr(part) * (*path.low - path.high) : path.high - Expr(part));
    }
    return result;
  }
  if (!holds) return result;
  if (reading.which == ReadingOf(EntropyReading::uniform))
    return {{theory::with_constant_gate(law, path.high), &theory::reading(EntropyReading::limit), true, false,
             "0"}};
  if (law.window || !bounded_changes_matter || reading.which == ReadingOf(CorrelationReading::with_sign))
    return result;
  for (const bool largest : {true, false}) {
    if (!largest && !path.low) continue;
    const bool left_out = largest ? path.high_open : path.low_open;
    theory::ScoreFunction end = theory::with_constant_gate(law, largest ? path.high : *path.low);
    if (largest != left_out) end.bias = -end.bias;
    result.push_back(
        {end, &theory::reading(CorrelationReading::with_sign), true, left_out, largest ? "0" : "1"});
  }
  return result;
}

std::vector<Reduction> query_reductions(const theory::ScoreFunction& law, const theory::Finding& finding) {
  const theory::Reading& reading = *finding.reading;
  const bool holds = finding.verdict == Verdict::holds;
  if (finding.quantifier == Quantifier::none) return {{theory::with_query(law, Expr(0)), &reading}};
  if (const int times = theory::deciding_query(reading, finding.quantifier); times != 0)
    return {{theory::with_extreme_query(law, times), &reading}};
  if (finding.region != (holds ? "always" : "never")) return {};
  std::vector<Reduction> result;
  if (holds && reading.which == ReadingOf(CorrelationReading::probability))
    result.push_back({theory::with_query(law, Expr(0)), &theory::reading(CorrelationReading::content), true});
  if (finding.quantifier == (holds ? Quantifier::some : Quantifier::every)) {
    for (const Rational& part : {Rational(0), Rational(1), Rational(-1), Rational(1, 2), Rational(-1, 2)})
      result.push_back(
          {theory::with_query(law, Expr(part) * law.query->radius), &reading, true, false, part.str()});
  } else if (holds && reading.which == ReadingOf(EntropyReading::uniform)) {
    result.push_back(
        {theory::with_extreme_query(law, 1), &theory::reading(EntropyReading::limit), true, false, "1"});
  } else if (holds) {
    for (const int times : {1, -1}) {
      theory::ScoreFunction end = theory::with_extreme_query(law, times);
      if (times > 0) end.bias = -end.bias;
      result.push_back(
          {end, &theory::reading(CorrelationReading::with_sign), true, false, std::to_string(times)});
    }
  }
  return result;
}

}  // namespace gpe::checks
