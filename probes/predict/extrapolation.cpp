#include "probes/predict/extrapolation.h"

#include <cassert>
#include <cmath>
#include <functional>

namespace gpe::probes {

namespace {

Predicted of_moments(const HeadColumns& columns, std::int64_t query, const HeadMeasurement& fit,
                     const model::DistanceBuckets& buckets) {
  const MomentPrediction found =
      moment_prediction(columns.at(query), contents_of(fit.lengths.back()), buckets);
  if (!found.reason.empty()) return {std::nullopt, found.reason};
  return {found.entropy, found.in_range ? "" : "outside its range"};
}

Predicted line(const HeadMeasurement& fit, std::int64_t length) {
  std::vector<std::int64_t> lengths;
  std::vector<double> entropies;
  for (const LengthMeasurement& at : fit.lengths) {
    lengths.push_back(at.length);
    entropies.push_back(at.second_half.entropy.mean());
  }
  const std::optional<double> value = log_fit(lengths, entropies, length);
  return value ? Predicted{value, ""} : Predicted{std::nullopt, "fewer than two lengths to fit"};
}

}  // namespace

std::int64_t middle_query(std::int64_t length) {
  return std::llround(2 / std::exp(1.0) * static_cast<double>(length));
}

std::vector<LengthExtrapolation> extrapolate(const theory::ScoreFunction& law, const HeadMeasurement& fit,
                                             const model::DistanceBuckets& buckets,
                                             const std::vector<std::int64_t>& lengths,
                                             const std::vector<Continuation>& continuation,
                                             const theory::ConstantOracle& oracle) {
  assert(lengths.size() == continuation.size());
  const HeadColumns columns(law, oracle);
  const std::int64_t base = fit.lengths.back().length;
  const double measured = fit.lengths.back().second_half.entropy.mean();
  const double scale = norm_scale(fit, law.head_dim);
  using Predictor = std::function<Predicted(std::int64_t length)>;
  const std::vector<std::pair<std::string, Predictor>> predictors = {
      {"bias",
       [&](std::int64_t length) {
         return Predicted{bias_entropy(columns.at(middle_query(length))), ""};
       }},
      {"sphere",
       [&](std::int64_t length) { return sphere_entropy(law, columns.at(middle_query(length)), scale); }},
      {"moments",
       [&](std::int64_t length) { return of_moments(columns, middle_query(length), fit, buckets); }},
      {"log", [&](std::int64_t length) { return line(fit, length); }},
  };
  std::vector<LengthExtrapolation> result;
  for (const std::int64_t length : lengths) result.push_back({length, {}, 0});
  for (const auto& [name, predict] : predictors) {
    const Predicted there = predict(base);
    for (LengthExtrapolation& at : result) {
      const Predicted here = predict(at.length);
      Extrapolated& both = at.predictors.emplace_back(Extrapolated{name, here, here});
      if (!here.value) continue;
      both.from_fit.value.reset();
      if (there.value) both.from_fit = {measured + (*here.value - *there.value), here.reason};
    }
  }
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Continuation& found = continuation[i];
    result[i].predictors.push_back({"continued", {found.entropy, ""}, {measured + found.difference, ""}});
    result[i].standard_error = found.standard_error;
  }
  return result;
}

}  // namespace gpe::probes
