// What theory decides about one head, for the report. Tests: tests/probes/probe_attention_test.py
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "probes/predict/contradictions.h"
#include "probes/predict/extrapolation.h"

namespace gpe::probes {

using Json = nlohmann::ordered_json;

/// The values of parameters, in six digits, by name.
Json parameters_json(const std::vector<theory::ParameterValue>& parameters);
/// The default readings of the four properties at the content bound B, each with verdict and reason.
Json verdicts_json(const theory::ScoreFunction& law, double content_bound,
                   const theory::ConstantOracle& oracle);
/// The least W with at most ε of the weight beyond it in every row tested at the greatest length; and which
/// part of all rows at least has it, at 95 % confidence, if the rows were drawn independently: 0.05^(1/rows).
Json statistical_window_json(const HeadMeasurement& measured, const theory::Rational& epsilon);

}  // namespace gpe::probes
