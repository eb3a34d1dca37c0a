#include "checks/stack/dependence.h"

#include <set>

namespace gpe::checks {
namespace dependence_test {

using theory::Rational;

constexpr int kPositions = 90;

std::set<int> read_by(const Mixing& layer, const std::set<int>& positions) {
  std::set<int> result;
  for (const int i : positions) {
    const int keys = static_cast<int>(layer.keys);
    int first = 0;
    if (layer.kind == Mixing::Kind::window) first = std::max(0, i - keys + 1);
    if (layer.kind == Mixing::Kind::chunk) first = i / keys * keys;
    for (int j = first; j <= i; ++j) result.insert(j);
  }
  return result;
}

// The largest set of tokens that an output far from the beginning depends on, layer by layer.
std::int64_t counted(const std::vector<Mixing>& layers) {
  std::size_t most = 0;
  for (int i = kPositions / 2; i < kPositions; ++i) {
    std::set<int> positions = {i};
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
      positions = read_by(*layer, positions);
    most = std::max(most, positions.size());
  }
  return static_cast<std::int64_t>(most);
}

RC_GTEST_PROP(Dependence, OfWindowsAndOfChunksWithCommonBordersIsCountedExactly, ()) {
  const int chunk = *rc::gen::inRange(2, 9);
  std::vector<Mixing> layers(static_cast<std::size_t>(*rc::gen::inRange(1, 6)));
  for (Mixing& layer : layers) {
    const bool is_chunk = *rc::gen::arbitrary<bool>();
    layer =
        is_chunk ? Mixing{Mixing::Kind::chunk, chunk} : Mixing{Mixing::Kind::window, *rc::gen::inRange(1, 6)};
  }
  RC_ASSERT(tokens_seen(layers) == Rational(counted(layers)));
}

RC_GTEST_PROP(Dependence, OfChunksOfSeveralSizesIsABound, ()) {
  std::vector<Mixing> layers;
  for (int i = *rc::gen::inRange(1, 5); i > 0; --i)
    layers.push_back({Mixing::Kind::chunk, *rc::gen::inRange(2, 9)});
  RC_ASSERT(*tokens_seen(layers) >= Rational(counted(layers)));
}

TEST(Dependence, MistralOf2023Sees131041Tokens) {
  EXPECT_EQ(tokens_seen(std::vector<Mixing>(32, {Mixing::Kind::window, 4096}))->str(), "131041");
  EXPECT_EQ(tokens_seen({{Mixing::Kind::window, 4096}, {}}), std::nullopt);
}

TEST(Dependence, ChunksAreNotCountedTokenByToken) {
  const Mixing chunk{Mixing::Kind::chunk, 2000000000};
  EXPECT_EQ(tokens_seen({chunk, {Mixing::Kind::window, 5}, chunk})->str(), "4000000000");
}

// A row of a causal matrix with at most epsilon beyond the window, and a row sum of at most 1.
std::vector<double> row(int i, int window, double epsilon, bool leaks) {
  std::vector<double> result(kPositions, 0.0);
  const int near = std::min(i, window) + 1;
  const int far = i + 1 - near;
  for (int j = 0; j <= i; ++j) {
    const int n = i - j;
    const double left = far > 0 ? 1 - epsilon : 1, kept = leaks ? 0.9 : 1;
    result[static_cast<std::size_t>(j)] = n <= window ? left / near * kept : epsilon / far;
  }
  return result;
}

RC_GTEST_PROP(Dependence, TheMassOfAProductStaysBelowItsBound, ()) {
  std::vector<LayerWindow> windows;
  std::vector<double> weights(kPositions, 0.0);  // of the last row of the product so far
  weights[kPositions - 1] = 1;
  for (int layer = *rc::gen::inRange(1, 5); layer > 0; --layer) {
    const int window = *rc::gen::inRange(0, 12);
    const int percent = *rc::gen::inRange(0, 60);
    const bool leaks = *rc::gen::arbitrary<bool>();
    const double residual = *rc::gen::inRange(0, 3) / 3.0;
    windows.push_back({Rational(window), Rational(percent, 100)});
    std::vector<double> next(kPositions, 0.0);
    for (int i = 0; i < kPositions; ++i) {
      const std::vector<double> attention = row(i, window, percent / 100.0, leaks);
      for (int j = 0; j <= i; ++j) {
        const double entry =
            residual * (i == j ? 1 : 0) + (1 - residual) * attention[static_cast<std::size_t>(j)];
        next[static_cast<std::size_t>(j)] += weights[static_cast<std::size_t>(i)] * entry;
      }
    }
    weights = next;
  }
  const MassBeyond bound = mass_beyond(windows);
  double beyond = 0;
  for (int j = 0; j < kPositions - 1 - *bound.distance.to_int64(); ++j)
    beyond += weights[static_cast<std::size_t>(j)];
  const double most = static_cast<double>(*bound.mass.numerator().to_int64()) /
                      static_cast<double>(*bound.mass.denominator().to_int64());
  RC_ASSERT(beyond <= most + 1e-12);
}

TEST(Dependence, TheMassOfTwoLayersIsThatOfIndependentSteps) {
  const MassBeyond both = mass_beyond({{Rational(3), Rational(1, 10)}, {Rational(4), Rational(1, 5)}});
  EXPECT_EQ(both.distance, Rational(7));
  EXPECT_EQ(both.mass, Rational(7, 25));
}

}  // namespace dependence_test
}  // namespace gpe::checks
