// Bootstrap intervals: against all resamples of a small sample, and how often they cover a known mean.
#include "model/data/bootstrap.h"

#include <algorithm>

#include "model/data/random.h"

namespace gpe::model {
namespace bootstrap_test {

TEST(Bootstrap, the_mean_weighs_clusters_by_their_counts) {
  const std::vector<Cluster> clusters = {{10, 5}, {3, 1}};
  EXPECT_DOUBLE_EQ(cluster_mean(clusters), 13.0 / 6);
}

TEST(Bootstrap, of_one_cluster_there_is_no_interval) {
  EXPECT_FALSE(bootstrap_interval(std::vector<Cluster>{{1, 1}}, 1));
}

TEST(Bootstrap, agrees_with_all_resamples_of_four) {
  const std::vector<Cluster> clusters = {{1, 2}, {4, 1}, {9, 3}, {16, 2}};
  std::vector<double> all;
  for (int code = 0; code < 256; ++code) {
    std::vector<Cluster> drawn;
    for (int rest = code, i = 0; i < 4; ++i, rest /= 4)
      drawn.push_back(clusters[static_cast<std::size_t>(rest % 4)]);
    all.push_back(cluster_mean(drawn));
  }
  std::ranges::sort(all);
  const auto found = bootstrap_interval(clusters, 7, 0.9);
  // Shares of all resamples at or below either end: 5 and 95 % up to the sampling of 9999 (4 standard errors,
  // 0.9 %) and the weight of one value, which several resamples may give.
  const auto share = [&](auto&& smaller, double end) {
    return static_cast<double>(std::ranges::count_if(all, [&](double mean) { return smaller(mean, end); })) /
           256;
  };
  EXPECT_LE(share(std::less<>(), found->lower), 0.05 + 0.009);
  EXPECT_GE(share(std::less_equal<>(), found->lower), 0.05 - 0.009);
  EXPECT_LE(share(std::less<>(), found->upper), 0.95 + 0.009);
  EXPECT_GE(share(std::less_equal<>(), found->upper), 0.95 - 0.009);
}

TEST(Bootstrap, is_a_function_of_the_seed) {
  const std::vector<Cluster> clusters = {{1, 1}, {2, 1}, {4, 1}, {7, 1}, {11, 1}};
  const auto one = bootstrap_interval(clusters, 1);
  const auto again = bootstrap_interval(clusters, 1);
  EXPECT_EQ(one->lower, again->lower);
  EXPECT_EQ(one->upper, again->upper);
  EXPECT_LT(one->lower, cluster_mean(clusters));
  EXPECT_GT(one->upper, cluster_mean(clusters));
}

TEST(Bootstrap, covers_the_mean_about_as_often_as_it_says) {
  constexpr int kTrials = 300;
  int covered = 0;
  for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
    Random random(13, trial);
    std::vector<Cluster> clusters(60);
    for (Cluster& cluster : clusters) cluster = {random.unit() + random.unit(), 1};  // mean 1
    const auto interval = bootstrap_interval(clusters, trial, 0.95, 399);
    covered += interval->lower <= 1 && 1 <= interval->upper ? 1 : 0;
  }
  // 0.95 less a little for 60 clusters; four standard errors are 0.05.
  EXPECT_GE(covered, static_cast<int>(0.89 * kTrials));
  EXPECT_LE(covered, static_cast<int>(0.99 * kTrials));
}

}  // namespace bootstrap_test
}  // namespace gpe::model
