#include "model/data/bootstrap.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "model/data/random.h"

namespace gpe::model {

double cluster_mean(std::span<const Cluster> clusters) {
  double sum = 0;
  double count = 0;
  for (const Cluster& cluster : clusters) {
    sum += cluster.sum;
    count += cluster.count;
  }
  assert(count > 0);
  return sum / count;
}

std::optional<ConfidenceInterval> bootstrap_interval(std::span<const Cluster> clusters, std::uint64_t seed,
                                                     double level, int resamples) {
  if (clusters.size() < 2) return std::nullopt;
  std::vector<double> means;
  std::vector<Cluster> drawn(clusters.size());
  for (int i = 0; i < resamples; ++i) {
    Random random(seed, static_cast<std::uint64_t>(i));
    for (Cluster& cluster : drawn) cluster = random.of(clusters);
    means.push_back(cluster_mean(drawn));
  }
  std::ranges::sort(means);
  // The small addend: (B + 1)(1 - level)/2 is meant to be whole, and may fall just short of it.
  const auto below = static_cast<std::size_t>(std::floor((resamples + 1) * (1 - level) / 2 + 1e-9));
  assert(below >= 1 && 2 * below <= means.size());
  return ConfidenceInterval{means[below - 1], means[means.size() - below]};
}

}  // namespace gpe::model
