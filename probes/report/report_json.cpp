#include "probes/report/report_json.h"
// Tests: tests/probes/run/transformer_probe_test.cpp
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "checks/report/json_number.h"

namespace gpe::probes {

namespace {

Json json_of(const Summary& summary) {
  return {{"mean", summary.mean()}, {"min", summary.least}, {"max", summary.largest}};
}

Json json_of(const RowSummary& rows) {
  return {{"rows", rows.entropy.count},
          {"entropy", json_of(rows.entropy)},
          {"varentropy", json_of(rows.varentropy)},
          {"mean_distance", json_of(rows.mean_distance)},
          {"largest_weight", json_of(rows.largest_weight)},
          {"largest_score", json_of(rows.largest_score)},
          {"largest_content", json_of(rows.largest_content)},
          {"sink_weight", json_of(rows.sink_weight)}};
}

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const Predicted& predicted, double measured) {
  return {{"entropy", optional(predicted.value)},
          {"error", predicted.value ? Json(*predicted.value - measured) : Json(nullptr)},
          {"reason", checks::json_text_or_null(predicted.reason)}};
}

Json json_of(const Band& band) {
  return {{"lower", optional(band.lower)},
          {"upper", optional(band.upper)},
          {"width", optional(band.width())},
          {"reason", checks::json_text_or_null(band.reason)}};
}

Json json_of(const MomentPrediction& moment, double measured) {
  if (!moment.reason.empty()) {
    return {{"entropy", nullptr},
            {"error", nullptr},
            {"excess", nullptr},
            {"in_range", false},
            {"reason", moment.reason}};
  }
  return {{"entropy", moment.entropy},
          {"error", moment.entropy - measured},
          {"excess", moment.excess},
          {"in_range", moment.in_range},
          {"reason", moment.in_range ? Json(nullptr) : Json("outside its range")}};
}

Json json_of(const EntropyPredictions& entropy, double measured) {
  return {{"zero", json_of(entropy.zero, measured)},
          {"bound_band", json_of(entropy.of_bound)},
          {"ranges_band", json_of(entropy.of_ranges)},
          {"moment", json_of(entropy.moment, measured)},
          {"sphere", json_of(entropy.sphere, measured)}};
}

Json json_of_tested(const LengthMeasurement& at, const LengthPredictions& says,
                    const PredictionOptions& options) {
  const TestedRows& rows = at.tested;
  Json result = {{"rows", rows.rows},
                 {"entropy", {{"min", rows.least_entropy}, {"max", rows.largest_entropy}}},
                 {"content_bound", rows.content_bound},
                 {"largest_weight", 0.0},
                 {"largest_weight_at", nullptr},
                 {"farthest", nullptr},
                 {"reach", json_count(says.reach)}};
  double largest = 0;
  for (std::size_t i = 0; i < rows.largest_weight.size(); ++i) {
    const std::int64_t distance = rows.first + static_cast<std::int64_t>(i);
    if (rows.largest_weight[i] > largest) {
      largest = rows.largest_weight[i];
      result["largest_weight_at"] = distance;
    }
    if (rows.largest_weight[i] >= options.weight.approximate()) result["farthest"] = distance;
  }
  result["largest_weight"] = largest;
  return result;
}

// What one head's weights, contents and scores are at the distances of each bucket.
Json distances_json(const theory::ScoreFunction& law, const HeadMeasurement& head,
                    const model::DistanceBuckets& buckets, const theory::ConstantOracle& oracle) {
  const LengthMeasurement& all = head.lengths.back();
  const ScoreColumns columns = HeadColumns(law, oracle).at(all.length - 1);
  const double rows = static_cast<double>(all.length) * static_cast<double>(all.tested.rows);
  const double variance =
      head.square_query * head.square_key / (static_cast<double>(law.head_dim) * law.head_dim);
  Json result = Json::array();
  for (std::size_t b = 0; b < buckets.size(); ++b) {
    const model::BucketStatistics& bucket = all.buckets[b];
    if (bucket.count() == 0) continue;
    const std::int64_t from = buckets.edges()[b];
    const std::int64_t to =
        std::min(b + 1 < buckets.size() ? buckets.edges()[b + 1] : all.length, all.length) - 1;
    // Over the pairs of the bucket: T - n queries have a key at distance n.
    double pairs = 0;
    double bias = 0;
    double mean = 0;
    double square = 0;
    double gradient = 0;
    for (std::size_t at = 0; at < columns.size(); ++at) {
      const std::int64_t n = columns.distance(at);
      if (n < from || n > to) continue;
      const auto count = static_cast<double>(all.length - n);
      pairs += count;
      bias += count * columns.bias[at];
      mean += count * (columns.bias[at] + columns.gain[at] * bucket.content.mean);
      square += count * columns.gain[at] * columns.gain[at] * columns.norm[at] * columns.norm[at];
      gradient += count * std::abs(columns.gain[at]) * columns.norm[at];
    }
    const bool plain = !law.softcap && !law.depends_on_length() && pairs > 0;
    result.push_back({{"from", from},
                      {"to", to},
                      {"pairs", bucket.count()},
                      {"mass", bucket.mass / rows},
                      {"content",
                       {{"mean", bucket.content.mean},
                        {"variance", bucket.content.variance()},
                        {"min", bucket.least_content},
                        {"max", bucket.largest_content}}},
                      {"score", {{"mean", bucket.score.mean}, {"variance", bucket.score.variance()}}},
                      {"bias", plain ? Json(bias / pairs) : Json(nullptr)},
                      {"score_predicted", plain ? Json(mean / pairs) : Json(nullptr)},
                      {"score_variance_of_norms", plain ? Json(square / pairs * variance) : Json(nullptr)},
                      {"gradient", plain ? Json(gradient / pairs * std::sqrt(head.square_key / law.head_dim))
                                         : Json(nullptr)}});
  }
  return result;
}

// The largest N with |mean score| <= C1 (or >= C1) in every bucket up to that of N.
Json measured_range(const Json& distances, double threshold, bool within) {
  Json result = nullptr;
  for (const Json& bucket : distances) {
    const double score = std::abs(bucket["score"]["mean"].get<double>());
    if (within ? score > threshold : score < threshold) break;
    result = bucket["to"];
  }
  return result;
}

}  // namespace

Json head_json(int layer, int head, const theory::ScoreFunction& law, const HeadMeasurement& measured,
               const HeadPredictions& predicted, const model::DistanceBuckets& buckets,
               const PredictionOptions& options, const theory::ConstantOracle& oracle) {
  Json result = {{"layer", layer + 1}, {"head", head + 1}, {"scale", predicted.scale}};
  result["lengths"] = Json::array();
  const LengthMeasurement* before = nullptr;
  for (std::size_t i = 0; i < measured.lengths.size(); ++i) {
    const LengthMeasurement& at = measured.lengths[i];
    const LengthPredictions& says = predicted.lengths[i];
    Json entry = {{"length", at.length},
                  {"last_row", json_of(at.last_row)},
                  {"second_half", json_of(at.second_half)},
                  {"window_entropy", at.window_entropy},
                  {"slope", nullptr},
                  {"content_bound", says.content_bound},
                  {"predictions", json_of(says.entropy, at.last_row.entropy.mean())},
                  {"tested", json_of_tested(at, says, options)}};
    if (before != nullptr) {
      const double ratio = static_cast<double>(at.length) / static_cast<double>(before->length);
      entry["slope"] = (at.second_half.entropy.mean() - before->second_half.entropy.mean()) / std::log(ratio);
    }
    before = &at;
    result["lengths"].push_back(std::move(entry));
  }
  const auto last = predicted.window.kind == checks::BigCount::Kind::number
                        ? predicted.window.number.to_int64()
                        : std::nullopt;
  result["window"] = {{"epsilon", options.epsilon.str()},
                      {"content_bound", predicted.content_bound},
                      {"content_seen", optional(predicted.content_seen)},
                      {"W", json_count(predicted.window)},
                      {"largest_mass_beyond", nullptr}};
  if (last) {
    double beyond = 0;
    for (const LengthMeasurement& at : measured.lengths) {
      const auto index = static_cast<std::size_t>(std::max<std::int64_t>(0, *last - at.tested.first));
      if (index < at.tested.largest_beyond.size()) beyond = std::max(beyond, at.tested.largest_beyond[index]);
    }
    result["window"]["largest_mass_beyond"] = beyond;
  }
  result["statistical_window"] = statistical_window_json(measured, options.epsilon);
  result["verdicts"] = verdicts_json(law, predicted.content_bound, oracle);
  result["distances"] = distances_json(law, measured, buckets, oracle);
  const double threshold = options.threshold.approximate();
  result["local_range"] = {{"threshold", options.threshold.str()},
                           {"within_of_bias", json_count(predicted.local_range.within)},
                           {"literal_of_bias", json_count(predicted.local_range.literal)},
                           {"within", measured_range(result["distances"], threshold, true)},
                           {"literal", measured_range(result["distances"], threshold, false)}};
  return result;
}

Json extrapolation_json(const std::vector<LengthExtrapolation>& found, const HeadMeasurement& measured) {
  Json result = Json::array();
  for (const LengthExtrapolation& at : found) {
    const auto of = std::ranges::find(measured.lengths, at.length, &LengthMeasurement::length);
    const double entropy = of->second_half.entropy.mean();
    Json predictors = Json::object();
    for (const Extrapolated& one : at.predictors) {
      predictors[one.name] = {{"plain", json_of(one.plain, entropy)},
                              {"from_fit", json_of(one.from_fit, entropy)}};
    }
    predictors["continued"]["standard_error"] = at.standard_error;
    result.push_back({{"length", at.length}, {"measured", entropy}, {"predictors", std::move(predictors)}});
  }
  return result;
}

Json contradiction_json(const Contradiction& c) {
  return {{"layer", c.layer + 1},   {"head", c.head + 1}, {"length", c.length}, {"kind", name_of(c.kind)},
          {"measured", c.measured}, {"limit", c.limit},   {"text", c.text}};
}

}  // namespace gpe::probes
