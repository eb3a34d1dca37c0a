// What is measured of heads on a device, lane by lane on the CPU and on a device where there is one,
// beside the CPU's own code.
#include <cmath>

#include "tests/cuda/accelerators.h"
#include "theory/source/spec_error.h"

namespace device_statistics_test {

using namespace gpe;
using namespace gpe::model;
using gpe::tests::accelerators;

constexpr std::int64_t kTokens = 150;

LoadedModel model_of(const std::string& encoding) {
  LoadedModel model = new_model(tests::wide(encoding), tests::oracle());
  tests::stretch(*model.transformer, 8);
  return model;
}

// Of rows [0, 40) and [40, 150), layer by layer.
std::vector<AttentionStatistics> measured(const LoadedModel& model, const DistanceBuckets* buckets) {
  std::vector<AttentionStatistics> result;
  model.transformer->hidden(tests::some_tokens(2, kTokens, 3),
                            [&](const at::Tensor& qkv, const AttentionLayer& layer) {
                              result.push_back(statistics(qkv.contiguous(), layer, 0, 40, buckets));
                              result.push_back(statistics(qkv.contiguous(), layer, 40, kTokens, buckets));
                            });
  return result;
}

void expect_near(double found, double expected, const std::string& where) {
  if (std::isinf(expected)) {
    EXPECT_EQ(found, expected) << where;
  } else {
    EXPECT_NEAR(found, expected, 3e-4 * (1 + std::abs(expected))) << where;
  }
}

TEST(DeviceStatistics, are_those_of_the_processor) {
  const DistanceBuckets buckets({0, 1, 2, 5, 63, 64, 120});
  for (const std::string encoding : {"nope", "rope", "alibi", "ape", "sliding-window", "streaming-llm"}) {
    const auto expected = measured(model_of(encoding), &buckets);
    for (const auto& accelerator : accelerators()) {
      const LoadedModel model = model_of(encoding);
      model.transformer->to(accelerator);
      const auto found = measured(model, &buckets);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t s = 0; s < found.size(); ++s) {
        ASSERT_EQ(found[s].rows.size(), expected[s].rows.size());
        ASSERT_EQ(found[s].buckets.size(), expected[s].buckets.size());
        const std::string where = encoding + " on " + accelerator->name + ' ' + std::to_string(s) + ' ';
        for (std::size_t i = 0; i < found[s].rows.size(); ++i) {
          const RowStatistics &mine = found[s].rows[i], &other = expected[s].rows[i];
          const std::string row = where + std::to_string(i);
          EXPECT_EQ(mine.keys, other.keys) << row;
          expect_near(mine.log_normalizer, other.log_normalizer, row + " normalizer");
          expect_near(mine.entropy, other.entropy, row + " entropy");
          expect_near(mine.varentropy, other.varentropy, row + " varentropy");
          expect_near(mine.mean_distance, other.mean_distance, row + " distance");
          expect_near(mine.largest_weight, other.largest_weight, row + " weight");
          expect_near(mine.largest_score, other.largest_score, row + " score");
          expect_near(mine.largest_content, other.largest_content, row + " content");
          expect_near(mine.sink_weight, other.sink_weight, row + " sink");
        }
        for (std::size_t b = 0; b < found[s].buckets.size(); ++b) {
          const BucketStatistics &mine = found[s].buckets[b], &other = expected[s].buckets[b];
          const std::string bucket = where + "bucket " + std::to_string(b);
          EXPECT_EQ(mine.count(), other.count()) << bucket;
          expect_near(mine.mass, other.mass, bucket + " mass");
          expect_near(mine.content.mean, other.content.mean, bucket + " mean content");
          expect_near(mine.content.variance(), other.content.variance(), bucket + " variance of contents");
          expect_near(mine.score.mean, other.score.mean, bucket + " mean score");
          expect_near(mine.score.variance(), other.score.variance(), bucket + " variance of scores");
          expect_near(mine.least_content, other.least_content, bucket + " least content");
          expect_near(mine.largest_content, other.largest_content, bucket + " largest content");
        }
      }
    }
  }
}

TEST(DeviceStatistics, have_at_most_32_classes) {
  const LoadedModel model = model_of("nope");
  model.transformer->to(accelerators().front());
  const DistanceBuckets many = DistanceBuckets::each(33);
  EXPECT_THROW(measured(model, &many), theory::SpecError);
  EXPECT_EQ(measured(model, nullptr).front().buckets.size(), 0U);
}

}  // namespace device_statistics_test
