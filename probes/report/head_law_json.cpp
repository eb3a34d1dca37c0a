#include "probes/report/head_law_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "checks/arb/decimal.h"
#include "checks/arb/expr_ball.h"
#include "theory/expression/expr_eval.h"
#include "theory/properties/verdict.h"

namespace gpe::probes {

Json parameters_json(const std::vector<theory::ParameterValue>& parameters) {
  constexpr long bits = 64;
  constexpr int digits = 6;
  Json result = Json::object();
  for (const theory::ParameterValue& parameter : parameters) {
    try {
      result[parameter.name] =
          checks::proved_decimal(checks::evaluate(parameter.value, {}, bits), digits).text;
    } catch (const theory::EvaluationError&) {
      result[parameter.name] = nullptr;
    }
  }
  return result;
}

Json verdicts_json(const theory::ScoreFunction& law, double content_bound,
                   const theory::ConstantOracle& oracle) {
  const theory::Rational bound = *theory::Rational::parse(Json(content_bound).dump());
  constexpr std::chrono::seconds kEach(10);
  const theory::Context context(oracle, theory::Budget(kEach));
  Json result = Json::array();
  for (const theory::ReadingOf usual : theory::kUsualReadings) {
    const theory::Reading& reading = theory::reading(usual);
    const theory::Finding found = theory::find(reading, law, bound, context);
    result.push_back({{"property", theory::name_of(reading.property)},
                      {"reading", reading.name},
                      {"verdict", theory::name_of(found.verdict)},
                      {"reason", found.reason}});
  }
  return result;
}

Json statistical_window_json(const HeadMeasurement& measured, const theory::Rational& epsilon) {
  const LengthMeasurement& at = measured.lengths.back();
  const TestedRows& rows = at.tested;
  const double most = epsilon.approximate();
  std::size_t i = 0;
  while (i < rows.largest_beyond.size() && rows.largest_beyond[i] > most) ++i;
  constexpr double confidence = 0.95;
  return {{"epsilon", epsilon.str()},
          {"length", at.length},
          {"W", rows.first + static_cast<std::int64_t>(i)},
          {"rows", rows.rows},
          {"confidence", confidence},
          {"coverage", std::pow(1 - confidence, 1 / static_cast<double>(rows.rows))}};
}

}  // namespace gpe::probes
