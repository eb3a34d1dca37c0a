// Predictions from short windows: where they are taken, and what is added to what was measured.
#include "probes/predict/extrapolation.h"

#include <cmath>

#include "tests/model/score_cases.h"

namespace extrapolation_test {

using namespace gpe;
using namespace gpe::probes;
using namespace gpe::tests;
using model::DistanceBuckets;

TEST(Extrapolation, the_middle_query_has_the_mean_of_log_L_over_the_second_half) {
  for (const std::int64_t length : {256, 1000, 16384}) {
    double mean = 0;
    for (std::int64_t row = length / 2; row < length; ++row)
      mean += std::log(static_cast<double>(row)) / (static_cast<double>(length) / 2);
    EXPECT_NEAR(std::log(static_cast<double>(middle_query(length))), mean, 3.0 / static_cast<double>(length));
  }
}

// Heads of the law with contents of zero: what the bias alone says is what is measured.
HeadMeasurement without_content(const theory::ScoreFunction& law, const std::vector<std::int64_t>& lengths,
                                const DistanceBuckets& buckets) {
  const HeadColumns columns(law, oracle());
  HeadMeasurement result;
  for (const std::int64_t length : lengths) {
    LengthMeasurement& at = result.lengths.emplace_back();
    at.length = length;
    at.buckets.resize(buckets.size());
    for (auto& bucket : at.buckets) bucket.content = {100, 0, 0};
    for (std::int64_t row = length / 2; row < length; ++row) {
      const ScoreColumns scores = columns.at(row);
      double z = 0;
      double s = 0;
      for (const double bias : scores.bias) {
        z += std::exp(bias);
        s += bias * std::exp(bias);
      }
      at.second_half.entropy.add(std::log(z) - s / z);
    }
  }
  result.square_query = result.square_key = 1e-12;
  return result;
}

TEST(Extrapolation, without_content_every_predictor_but_the_line_is_right) {
  const std::vector<std::int64_t> lengths = {64, 128, 256};
  const DistanceBuckets buckets = DistanceBuckets::doubling(2048);
  for (const char* name : {"nope", "alibi", "ape", "rope", "ssmax"}) {
    const theory::ScoreFunction law = at_values(law_of(library_encoding(name), 64));
    const HeadMeasurement fit = without_content(law, lengths, buckets);
    const HeadMeasurement far = without_content(law, {1024, 2048}, buckets);
    const auto found =
        extrapolate(law, fit, buckets, {1024, 2048}, {{2, 0.5, 0.1}, {3, 0.75, 0.2}}, oracle());
    ASSERT_EQ(found.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      const double measured = far.lengths[i].second_half.entropy.mean();
      for (const Extrapolated& one : found[i].predictors) {
        ASSERT_TRUE(one.plain.value && one.from_fit.value) << name << ' ' << one.name;
        if (one.name == "continued" || one.name == "log") continue;
        EXPECT_NEAR(*one.plain.value, measured, 0.03) << name << ' ' << one.name;
        EXPECT_NEAR(*one.from_fit.value, measured, 0.03) << name << ' ' << one.name;
      }
      const double at_fit = fit.lengths.back().second_half.entropy.mean();
      EXPECT_EQ(*found[i].predictors.back().from_fit.value, at_fit + (i == 0 ? 0.5 : 0.75));
      EXPECT_EQ(*found[i].predictors.back().plain.value, i == 0 ? 2 : 3);
      EXPECT_EQ(found[i].standard_error, i == 0 ? 0.1 : 0.2);
    }
  }
}

TEST(Extrapolation, adds_a_predictors_difference_to_what_was_measured) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(4096);
  const theory::ScoreFunction law = at_values(law_of(library_encoding("nope"), 64));
  HeadMeasurement fit = without_content(law, {256}, buckets);
  const double measured = fit.lengths.back().second_half.entropy.mean() - 1;  // a head that differs by 1 nat
  fit.lengths.back().second_half.entropy = {};
  fit.lengths.back().second_half.entropy.add(measured);
  const auto found = extrapolate(law, fit, buckets, {4096}, {{}}, oracle());
  for (const Extrapolated& one : found[0].predictors) {
    if (one.name == "log") {
      EXPECT_FALSE(one.plain.value || one.from_fit.value) << "one length";
      EXPECT_FALSE(one.plain.reason.empty());
    } else if (one.name != "continued") {
      EXPECT_NEAR(*one.from_fit.value, measured + std::log(16), 0.01) << one.name;
      EXPECT_NEAR(*one.plain.value, *one.from_fit.value + 1, 0.01) << one.name;
    }
  }
}

}  // namespace extrapolation_test
