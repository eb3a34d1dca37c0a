// What probe-attention writes: docs/probes.md documents the fields.
#pragma once

#include "probes/report/head_law_json.h"

namespace gpe::probes {

/// One head: lengths with everything measured and predicted, and what was seen by distance.
Json head_json(int layer, int head, const theory::ScoreFunction& law, const HeadMeasurement& measured,
               const HeadPredictions& predicted, const model::DistanceBuckets& buckets,
               const PredictionOptions& options, const theory::ConstantOracle& oracle);
/// At each length, what every predictor says beside the mean entropy of rows T/2 … T - 1.
Json extrapolation_json(const std::vector<LengthExtrapolation>& found, const HeadMeasurement& measured);
Json contradiction_json(const Contradiction& contradiction);

/// The whole report as text.
std::string report_text(const Json& report);

}  // namespace gpe::probes
