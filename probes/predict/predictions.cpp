#include "probes/predict/predictions.h"
// Tests: tests/probes/run/transformer_probe_test.cpp
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "checks/content/effective_window.h"
#include "checks/content/entropy_band.h"

namespace gpe::probes {

namespace {

using theory::Rational;

constexpr int kDigits = 8;
constexpr long kBits = 96;
constexpr double kTolerance = 0.01;        // of scores, where ranges are joined
constexpr std::chrono::seconds kTime(10);  // of each number

// From `value` upwards, at most 2^-22 of it away.
Rational not_below(double value) {
  if (!(value > 0)) return Rational(0);
  const int exponent = std::ilogb(value);
  const double scaled = std::ceil(std::ldexp(value, 22 - exponent));
  return Rational(static_cast<std::int64_t>(scaled)) * Rational(2).pow(exponent - 22);
}

// Ends as doubles that lie outside.
Band band_of(const checks::EntropyBand& band) {
  Band result;
  const auto end = [&](const checks::EnclosedNumber& number, double outwards) -> std::optional<double> {
    if (number.finite != checks::Finite::yes || !number.value.is_finite()) {
      result.reason = number.reason.empty() ? "not determined" : number.reason;
      return std::nullopt;
    }
    const checks::Ball edge = outwards < 0 ? number.value.lower(kBits) : number.value.upper(kBits);
    const double value = edge.approximate();
    return value + outwards * 1e-15 * std::abs(value);
  };
  result.lower = end(band.lower, -1);
  result.upper = end(band.upper, 1);
  if (result.lower) result.lower = std::max(0.0, *result.lower);
  return result;
}

template <class Find>
auto or_reason(const Find& find) -> decltype(find()) {
  try {
    return find();
  } catch (const theory::Undecided& undecided) {
    if constexpr (std::is_same_v<decltype(find()), checks::BigCount>) {
      return checks::BigCount::unknown(undecided.what());
    } else {
      decltype(find()) result;
      result.reason = undecided.what();
      return result;
    }
  }
}

}  // namespace

// No |c|/w(n) of the rows read at the greatest length is larger; they were computed in the model's type.
std::optional<double> content_seen(const theory::ScoreFunction& law, const LengthMeasurement& all,
                                   const ScoreColumns& columns, const model::DistanceBuckets& buckets) {
  if (law.norm.mentions(theory::kLength)) return std::nullopt;
  std::vector<double> least_norm(all.buckets.size(), std::numeric_limits<double>::infinity());
  for (std::size_t at = 0; at < columns.size(); ++at) {
    double& least = least_norm[buckets.of(columns.distance(at))];
    least = std::min(least, columns.norm[at]);
  }
  double result = all.tested.content_bound;
  for (std::size_t b = 0; b < all.buckets.size(); ++b) {
    const model::BucketStatistics& bucket = all.buckets[b];
    const double largest = std::max(std::abs(bucket.least_content), std::abs(bucket.largest_content));
    if (bucket.count() > 0 && largest > 0) result = std::max(result, largest / least_norm[b]);
  }
  return result;
}

double norm_scale(const HeadMeasurement& head, int head_dim) {
  return std::sqrt(head.square_query * head.square_key / head_dim);
}

std::vector<model::Spread> contents_of(const LengthMeasurement& at) {
  std::vector<model::Spread> result;
  for (const model::BucketStatistics& bucket : at.buckets) result.push_back(bucket.content);
  return result;
}

std::optional<double> Band::width() const {
  if (!lower || !upper) return std::nullopt;
  return *upper - *lower;
}

HeadPredictions predict(const theory::ScoreFunction& law, const HeadMeasurement& head,
                        const model::DistanceBuckets& buckets, const PredictionOptions& options,
                        const theory::ConstantOracle& oracle) {
  const theory::Context context(oracle, theory::Budget(kTime));
  const HeadColumns columns_of(law, oracle);
  HeadPredictions result;
  result.scale = norm_scale(head, law.head_dim);
  for (const LengthMeasurement& at : head.lengths) {
    LengthPredictions& here = result.lengths.emplace_back();
    EntropyPredictions& entropy = here.entropy;
    const Rational length(at.length - 1 - law.first);  // the keys that the last row sees, less one
    const ScoreColumns columns = columns_of.at(at.length - 1);
    const Rational bound = not_below(options.content_bound.value_or(at.tested.content_bound));
    here.content_bound = bound.approximate();
    result.content_bound = std::max(result.content_bound, here.content_bound);
    if (columns.size() == 0) continue;  // it sees nothing: nothing to predict

    entropy.zero = {bias_entropy(columns), ""};
    entropy.of_bound =
        or_reason([&] { return band_of(checks::entropy_band(law, bound, length, kDigits, context)); });
    entropy.of_ranges = or_reason([&] {
      const auto ranges = score_ranges(columns, at.tested.contents, buckets, kTolerance);
      return band_of(checks::entropy_band(ranges, kDigits, context));
    });
    entropy.moment = moment_prediction(columns, contents_of(at), buckets);
    entropy.sphere = sphere_entropy(law, columns, result.scale);
    here.reach = or_reason([&] { return checks::reach(law, options.weight, bound, length, context).n; });
  }
  const LengthMeasurement& all = head.lengths.back();
  result.content_seen = content_seen(law, all, columns_of.at(all.length - 1), buckets);
  if (!options.content_bound && result.content_seen)
    result.content_bound = std::max(result.content_bound, not_below(*result.content_seen).approximate());
  result.window = or_reason([&] {
    return checks::effective_window(law, options.epsilon, not_below(result.content_bound), std::nullopt,
                                    context);
  });
  result.local_range = checks::local_range(law, options.threshold, context);
  return result;
}

}  // namespace gpe::probes
