// A probe on a device, lane by lane on the CPU and on a device where there is one, beside the same on
// the CPU.
#include <cmath>

#include "probes/run/continued_contexts.h"
#include "probes/run/transformer_probe.h"
#include "tests/cuda/accelerators.h"
#include "tests/model/token_files.h"
#include "theory/source/spec_error.h"

namespace device_probe_test {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::probes;
using tests::accelerators;

struct Probed {
  Measurement measured;
  std::vector<std::vector<std::vector<Continuation>>> continued;
};

// Of windows of 70 tokens, and read on to 100.
Probed probe(const std::string& encoding, const std::shared_ptr<const Accelerator>& accelerator,
             const DistanceBuckets& buckets) {
  const LoadedModel model = new_model(tests::wide(encoding), tests::oracle());
  tests::stretch(*model.transformer, 8);
  model.transformer->to(accelerator);
  std::vector<std::vector<theory::ScoreFunction>> laws(2);
  for (int layer = 0; layer < 2; ++layer) {
    for (int head = 0; head < 2; ++head)
      laws[static_cast<std::size_t>(layer)].push_back(
          at_values(head_law(model, layer, head, tests::oracle())));
  }
  std::vector<std::uint16_t> tokens;
  for (std::size_t i = 0; i < 300; ++i) tokens.push_back(static_cast<std::uint16_t>((i * i + 3 * i) % 10));
  const tests::TemporaryFolder folder;
  const TokenFile file(tests::write_tokens(folder, "t", tokens, 11, 10));
  const std::vector<Window> windows = {{0, 70}, {100, 70}, {200, 70}};
  const auto nothing = [](double) {};
  return {measure(model, laws, file, windows, {16, 70}, buckets, tests::oracle(), nothing),
          continued_contexts(model, file, windows, {100}, nothing)};
}

void expect_near(double found, double expected, const std::string& what) {
  EXPECT_NEAR(found, expected, 3e-4 * (1 + std::abs(expected))) << what;
}
void expect_near(const Summary& found, const Summary& expected, const std::string& what) {
  ASSERT_EQ(found.count, expected.count) << what;
  expect_near(found.mean(), expected.mean(), what + " mean");
  expect_near(found.least, expected.least, what + " least");
  expect_near(found.largest, expected.largest, what + " largest");
}

TEST(DeviceProbe, finds_what_the_processor_finds) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(70);
  for (const std::string encoding : {"ape", "rope", "alibi"}) {
    const Probed expected = probe(encoding, nullptr, buckets);
    for (const auto& accelerator : accelerators()) {
      const Probed found = probe(encoding, accelerator, buckets);
      ASSERT_EQ(found.measured.windows, 3U);
      for (std::size_t l = 0; l < 2; ++l) {
        for (std::size_t h = 0; h < 2; ++h) {
          const std::string where = encoding + " on " + accelerator->name;
          const HeadMeasurement &mine = found.measured.heads[l][h], &other = expected.measured.heads[l][h];
          expect_near(mine.square_query, other.square_query, where + " |q|");
          expect_near(mine.square_key, other.square_key, where + " |k|");
          for (std::size_t i = 0; i < 2; ++i) {
            const LengthMeasurement &a = mine.lengths[i], &b = other.lengths[i];
            expect_near(a.last_row.entropy, b.last_row.entropy, where + " entropy of the last row");
            expect_near(a.second_half.entropy, b.second_half.entropy, where + " entropy");
            expect_near(a.second_half.largest_content, b.second_half.largest_content, where + " content");
            for (std::size_t k = 0; k < buckets.size(); ++k) {
              EXPECT_EQ(a.buckets[k].count(), b.buckets[k].count()) << where;
              expect_near(a.buckets[k].mass, b.buckets[k].mass, where + " mass");
              expect_near(a.buckets[k].score.mean, b.buckets[k].score.mean, where + " score");
            }
            EXPECT_GT(a.last_row.entropy.mean(), 0.1) << where;
          }
          expect_near(found.continued[l][h][0].entropy, expected.continued[l][h][0].entropy,
                      where + " read on");
        }
      }
    }
  }
}

TEST(DeviceProbe, has_at_most_32_classes_of_distances) {
  EXPECT_THROW(probe("nope", accelerators().front(), DistanceBuckets::each(70)), theory::SpecError);
}

}  // namespace device_probe_test
