// Predictions from moments beside attention over random contents that have them.
#include "probes/predict/moment_predictor.h"

#include <cmath>
#include <random>

#include "tests/model/score_cases.h"

namespace moment_predictor_test {

using namespace gpe;
using namespace gpe::probes;
using namespace gpe::tests;
using model::DistanceBuckets;
using model::Spread;

ScoreColumns columns_of(const theory::Encoding& encoding, std::int64_t tokens) {
  return HeadColumns(at_values(law_of(encoding, 64)), oracle()).at(tokens - 1);
}

TEST(MomentPredictor, normal_content_without_bias_loses_half_its_variance) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(1000);
  const ScoreColumns columns = columns_of(library_encoding("nope"), 1000);
  const std::vector<Spread> contents(buckets.size(), Spread{100, 0.7, 100});
  const MomentPrediction found = moment_prediction(columns, contents, buckets);
  EXPECT_NEAR(found.entropy, std::log(1000) - 0.5, 1e-12);
  EXPECT_NEAR(found.excess, 1, 1e-12);
  EXPECT_TRUE(found.in_range);
}

TEST(MomentPredictor, agrees_with_random_contents_where_it_says_so) {
  constexpr std::int64_t kTokens = 4096;
  const DistanceBuckets buckets = DistanceBuckets::doubling(kTokens);
  for (const char* name : {"nope", "alibi", "ape", "sandwich"}) {
    const ScoreColumns columns = columns_of(library_encoding(name), kTokens);
    for (const double deviation : {0.3, 1.0, 1.5}) {
      std::mt19937_64 random(1);
      std::normal_distribution<double> normal(0.4, deviation);
      double mean = 0;
      constexpr int kRows = 40;
      for (int r = 0; r < kRows; ++r) {
        double z = 0;
        double s = 0;
        for (std::size_t at = 0; at < columns.size(); ++at) {
          const double score = columns.score(at, normal(random));
          z += std::exp(score);
          s += score * std::exp(score);
        }
        mean += (std::log(z) - s / z) / kRows;
      }
      const std::vector<Spread> contents(buckets.size(), Spread{1, 0.4, deviation * deviation});
      const MomentPrediction found = moment_prediction(columns, contents, buckets);
      EXPECT_TRUE(found.in_range) << name << ' ' << deviation;
      // APE at 1.5: twenty keys share the weight, not many
      EXPECT_NEAR(found.entropy, mean, deviation > 1 ? 0.2 : 0.1) << name << ' ' << deviation;
    }
  }
}

// Attention freezes on a few keys from σ² = 2 log L on; the prediction is negative long after that.
TEST(MomentPredictor, says_where_it_is_outside_its_range) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(1000);
  const ScoreColumns columns = columns_of(library_encoding("nope"), 1000);
  const auto at = [&](double variance) {
    return moment_prediction(columns, std::vector<Spread>(buckets.size(), Spread{1, 0, variance}), buckets);
  };
  EXPECT_TRUE(at(0.99 * std::log(1000)).in_range);
  EXPECT_FALSE(at(1.01 * std::log(1000)).in_range);
  EXPECT_FALSE(at(2.5 * std::log(1000)).in_range);
  EXPECT_LT(at(2.5 * std::log(1000)).entropy, 0);
}

TEST(MomentPredictor, goes_on_with_the_moments_of_the_last_distances_measured) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(1000);
  const ScoreColumns columns = columns_of(library_encoding("alibi"), 1000);
  std::vector<Spread> all(buckets.size(), Spread{10, -0.5, 4});
  const double whole = moment_prediction(columns, all, buckets).entropy;
  for (std::size_t b = 5; b < all.size(); ++b) all[b] = {};
  EXPECT_EQ(moment_prediction(columns, all, buckets).entropy, whole);
  all.assign(buckets.size(), {});
  EXPECT_FALSE(moment_prediction(columns, all, buckets).reason.empty());
}

TEST(MomentPredictor, a_soft_cap_has_no_prediction) {
  ScoreColumns columns = columns_of(library_encoding("nope"), 10);
  columns.softcap = 30;
  const DistanceBuckets buckets = DistanceBuckets::doubling(10);
  EXPECT_NE(moment_prediction(columns, std::vector<Spread>(buckets.size(), Spread{1, 0, 1}), buckets).reason,
            "");
}

TEST(LogFit, goes_through_points_on_a_line) {
  EXPECT_EQ(log_fit({64}, {3}, 128), std::nullopt);
  const auto line = [](std::int64_t t) { return 0.25 + 0.75 * std::log(static_cast<double>(t)); };
  EXPECT_NEAR(*log_fit({64, 128, 256}, {line(64), line(128), line(256)}, 16384), line(16384), 1e-12);
  EXPECT_NEAR(*log_fit({64, 128, 256}, {1, 4, 1}, 1024), 2, 1e-12);
}

}  // namespace moment_predictor_test
