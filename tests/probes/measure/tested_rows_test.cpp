// A row's entropy lies in the band of its own ranges, which collapses onto it with exact ones; what is wrong
// in a small way leaves the band.
#include "probes/measure/tested_rows.h"

#include <algorithm>
#include <cmath>

#include "checks/content/effective_window.h"
#include "tests/in_time.h"
#include "tests/model/attention_problem.h"

namespace tested_rows_test {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::probes;
using namespace gpe::tests;

constexpr std::int64_t kLength = 90;

// The last query of one head of a problem, and the law's own numbers for it.
struct Row {
  Row(const Case& c, std::int64_t batch, std::int64_t head) {
    const Problem problem(c, 1, kLength, 8);
    law = at_values(law_of(c.encoding, 8, static_cast<int>(head) + 1, static_cast<int>(kHeads)));
    profile = row_profile(problem.reference(batch, head));
    columns = HeadColumns(law, oracle()).at(kLength - 1);
  }
  theory::ScoreFunction law;
  RowProfile profile;
  ScoreColumns columns;
};

checks::EntropyBand band(const ScoreColumns& columns, const std::vector<ContentRange>& contents,
                         const DistanceBuckets& buckets, double tolerance) {
  return checks::entropy_band(score_ranges(columns, contents, buckets, tolerance), 10, oracle());
}

TEST(TestedRows, columns_of_the_law_give_the_scores_of_the_model) {
  for (const Case& c : cases()) {
    const Row row(c, 0, 1);
    ASSERT_EQ(row.profile.score.size(), row.columns.size()) << c.name;
    for (std::size_t at = 0; at < row.columns.size(); ++at)
      EXPECT_NEAR(row.columns.score(at, row.profile.content[at]), row.profile.score[at], 1e-11)
          << c.name << " n = " << row.columns.distance(at);
  }
}

TEST(TestedRows, the_band_of_exact_ranges_is_the_entropy) {
  const DistanceBuckets buckets = DistanceBuckets::each(kLength);
  for (const Case& c : cases()) {
    const Row row(c, 1, 0);
    TestedRows tested;
    tested.add(row.profile, row.columns, buckets);
    const checks::EntropyBand ends = band(row.columns, tested.contents, buckets, 0);
    EXPECT_NEAR(ends.lower.value.lower(64).approximate(), row.profile.entropy, 1e-9) << c.name;
    EXPECT_NEAR(ends.upper.value.upper(64).approximate(), row.profile.entropy, 1e-9) << c.name;
  }
}

// What the program would have computed with an error in it, held against ranges that were measured without.
TEST(TestedRows, errors_leave_the_band_of_exact_ranges) {
  const DistanceBuckets buckets = DistanceBuckets::each(kLength);
  std::size_t left = 0;
  std::size_t tried = 0;
  for (const Case& c : cases()) {
    const Row row(c, 0, 0);
    if (!row.law.has_content) continue;
    TestedRows tested;
    tested.add(row.profile, row.columns, buckets);
    const checks::EntropyBand ends = band(row.columns, tested.contents, buckets, 0);
    const double low = ends.lower.value.lower(64).approximate() - 1e-8;
    const double high = ends.upper.value.upper(64).approximate() + 1e-8;
    const auto entropy_with = [&](auto score) {
      double z = 0;
      double s = 0;
      for (std::size_t at = 0; at < row.columns.size(); ++at) {
        z += std::exp(score(at));
        s += score(at) * std::exp(score(at));
      }
      return std::log(z) - s / z;
    };
    const auto outside = [&](const std::string& what, auto score) {
      const double entropy = entropy_with(score);
      ++tried;
      EXPECT_TRUE(entropy < low || entropy > high) << c.name << ": " << what << ' ' << entropy;
      if (entropy < low || entropy > high) ++left;
    };
    const auto content = [&](std::size_t at) { return row.profile.content[at]; };
    const double right = entropy_with([&](std::size_t at) { return row.columns.score(at, content(at)); });
    EXPECT_TRUE(low < right && right < high) << c.name;
    outside("a wrong sign", [&](std::size_t at) { return row.columns.score(at, -content(at)); });
    outside("content scaled by 1.01",
            [&](std::size_t at) { return row.columns.score(at, 1.01 * content(at)); });
    outside("n off by one", [&](std::size_t at) {
      return row.columns.score(at, content(std::min(at + 1, row.columns.size() - 1)));
    });
    const auto constant = [](const std::vector<double>& column) {
      return std::ranges::all_of(column, [&](double x) { return x == column.front(); });
    };
    if (constant(row.columns.bias) && constant(row.columns.gain)) continue;  // n is in the content alone
    outside("the law's n off by one", [&](std::size_t at) {
      return row.columns.score(std::min(at + 1, row.columns.size() - 1), content(at));
    });
  }
  EXPECT_EQ(left, tried);
  EXPECT_GT(tried, 50U);
}

TEST(TestedRows, entropies_lie_in_the_band_of_coarse_ranges) {
  for (const DistanceBuckets& buckets : {DistanceBuckets::doubling(kLength), DistanceBuckets({0, 5, 40})}) {
    for (const Case& c : cases()) {
      TestedRows tested;
      ScoreColumns columns;
      for (const std::int64_t batch : {0, 1}) {
        const Row row(c, batch, 1);
        tested.add(row.profile, row.columns, buckets);
        columns = row.columns;
      }
      const checks::EntropyBand sharp = band(columns, tested.contents, buckets, 0);
      const checks::EntropyBand joined = band(columns, tested.contents, buckets, 0.01);
      for (const checks::EntropyBand& ends : {sharp, joined}) {
        EXPECT_LE(ends.lower.value.lower(64).approximate(), tested.least_entropy + 1e-9) << c.name;
        EXPECT_GE(ends.upper.value.upper(64).approximate(), tested.largest_entropy - 1e-9) << c.name;
      }
      // joining distances gives something away, but little
      EXPECT_LE(joined.lower.value.lower(64).approximate(), sharp.lower.value.lower(64).approximate() + 1e-9);
      EXPECT_NEAR(joined.upper.value.upper(64).approximate(), sharp.upper.value.upper(64).approximate(), 0.05)
          << c.name;
    }
  }
}

TEST(TestedRows, distances_that_are_joined_keep_their_number_and_their_ranges) {
  const DistanceBuckets buckets = DistanceBuckets::doubling(kLength);
  for (const Case& c : cases()) {
    const Row row(c, 0, 0);
    TestedRows tested;
    tested.add(row.profile, row.columns, buckets);
    for (const double tolerance : {0.0, 0.01, 0.5}) {
      std::size_t at = 0;
      for (const checks::ScoreRange& range : score_ranges(row.columns, tested.contents, buckets, tolerance)) {
        for (int i = 0; i < range.copies; ++i, ++at) {
          EXPECT_LE(range.low, row.profile.score[at] + 1e-11) << c.name;
          EXPECT_GE(range.high, row.profile.score[at] - 1e-11) << c.name;
        }
      }
      EXPECT_EQ(at, row.columns.size()) << c.name;
    }
  }
}

TEST(TestedRows, reachable_weights_hold_and_are_reached) {
  for (const Case& c : cases()) {
    const Row row(c, 0, 0);
    TestedRows tested;
    tested.add(row.profile, row.columns, DistanceBuckets::doubling(kLength));
    const std::vector<double> allowed = reachable_weights(row.columns, tested.content_bound);
    for (std::size_t at = 0; at < allowed.size(); ++at) {
      EXPECT_LE(row.profile.weight[at], allowed[at] * (1 + 1e-12)) << c.name;
      // the content that puts everything else at its lowest
      double rest = std::exp(row.columns.sink);
      double here = 0;
      for (std::size_t m = 0; m < allowed.size(); ++m) {
        const double sign = (m == at) == (row.columns.gain[m] >= 0) ? 1 : -1;
        const double weight =
            std::exp(row.columns.score(m, sign * tested.content_bound * row.columns.norm[m]));
        (m == at ? here : rest) += weight;
      }
      EXPECT_NEAR(allowed[at], here / (here + rest), 1e-12) << c.name;
    }
  }
}

TEST(TestedRows, reachable_weights_are_those_of_the_reach) {
  const theory::ScoreFunction law = at_values(law_of(library_encoding("alibi"), 8, 1, 1));
  const ScoreColumns columns = HeadColumns(law, oracle()).at(kLength - 1);
  const std::vector<double> allowed = reachable_weights(columns, 3);
  for (const theory::Rational& weight : {theory::Rational(1, 2), theory::Rational(1, 10)}) {
    const auto last =
        std::find_if(allowed.rbegin(), allowed.rend(), [&](double p) { return p >= weight.approximate(); });
    const checks::BigCount reach = checks::reach(law, weight, theory::Rational(3),
                                                 theory::Rational(kLength - 1), gpe::testing::in_time())
                                       .n;
    if (last == allowed.rend()) {
      EXPECT_EQ(reach.kind, checks::BigCount::Kind::none);
    } else {
      EXPECT_EQ(reach.number, theory::Rational(allowed.rend() - last - 1));
    }
  }
}

TEST(TestedRows, mass_beyond_a_distance_is_the_sum_of_the_weights_there) {
  const Row row({"alibi", library_encoding("alibi"), {}}, 0, 0);
  TestedRows tested;
  tested.add(row.profile, row.columns, DistanceBuckets::doubling(kLength));
  double beyond = 0;
  for (std::size_t at = row.columns.size(); at-- > 0;) {
    EXPECT_NEAR(tested.largest_beyond[at], beyond, 1e-15);
    beyond += row.profile.weight[at];
  }
  EXPECT_NEAR(beyond, 1, 1e-12);
}

}  // namespace tested_rows_test
