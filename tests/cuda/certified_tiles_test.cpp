// How many tiles a certified window leaves out: those of the paper's ALiBi at 16,384 tokens, as the kernels
// go through them, for docs/device.md. A line per head is printed.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "checks/content/effective_window.h"
#include "model/cuda/score_tile.h"
#include "tests/in_time.h"
#include "tests/model/score_cases.h"

namespace certified_tiles_test {

using namespace gpe;
using namespace gpe::tests;

constexpr int kTokens = 16384, kHeads = 6;
constexpr double kEpsilon = 0x1p-9, kBound = 5;

struct Tiles {
  std::int64_t visited = 0, all = 0;
  double skipped() const { return 1 - static_cast<double>(visited) / static_cast<double>(all); }
};

// Of one head whose queries see the keys at distances 0 … last.
Tiles tiles_of(std::int32_t last) {
  const std::int32_t first = 0, everything = kTokens - 1;
  const cuda::Shape shape{
      .batch = 1, .heads = 1, .group = 1, .queries = kTokens, .keys = kTokens, .head_dim = 64};
  const auto count = [&](const std::int32_t& farthest) {
    cuda::ScoreTables tables{};
    tables.first = &first;
    tables.last = &farthest;
    tables.table_heads = 1;
    std::int64_t sum = 0;
    for (int query = 0; query < kTokens; query += cuda::kTile) {
      const auto range = cuda::TileRange::of_queries(shape, tables, {}, 0, 0, query);
      sum += range.end - range.begin;
    }
    return sum;
  };
  return {count(last), count(everything)};
}

// The weight beyond `window` of -m n + c(n) with c = B there and -B up to it: geometric sums.
double weight_beyond(double m, double window) {
  const double beyond = std::exp(kBound - m * (window + 1)),
               near = std::exp(-kBound) * -std::expm1(-m * (window + 1));
  return beyond / (beyond + near);
}

TEST(CertifiedTiles, of_the_papers_alibi_are_85_percent_of_all) {
  const theory::Encoding encoding = library_encoding("alibi-vetcha2025");
  const theory::Rational epsilon(1, 512), bound(5);
  double mean = 0;
  for (int h = 1; h <= kHeads; ++h) {
    const theory::ScoreFunction law = at_values(law_of(encoding, 64, h, kHeads));
    const checks::BigCount window =
        checks::effective_window(law, epsilon, bound, std::nullopt, gpe::testing::in_time());
    ASSERT_EQ(window.kind, checks::BigCount::Kind::number) << h;
    const auto last = static_cast<std::int32_t>(window.number.to_int64().value());
    const double m = std::exp2(-4.0 * h / 3);
    EXPECT_LE(weight_beyond(m, last), kEpsilon) << h;
    EXPECT_GT(weight_beyond(m, last - 1), kEpsilon) << h;
    const Tiles tiles = tiles_of(last);
    EXPECT_EQ(tiles.all, std::int64_t{kTokens / 64} * (kTokens / 64 + 1) / 2);
    std::printf("head %d: window %d, %.1f %% of the tiles skipped\n", h, last, 100 * tiles.skipped());
    mean += tiles.skipped() / kHeads;
  }
  std::printf("all heads: %.1f %%\n", 100 * mean);
  EXPECT_GE(mean, 0.85);
  EXPECT_EQ(std::lround(1000 * mean), 863);  // as in docs/device.md
}

// What is skipped is what no query sees: tile by tile, pair by pair.
TEST(CertifiedTiles, have_no_pair_within_the_window) {
  for (const std::int32_t last : {0, 1, 63, 64, 65, 127, 128, 200, 1000}) {
    const std::int32_t first = 0;
    cuda::ScoreTables tables{};
    tables.first = &first;
    tables.last = &last;
    tables.table_heads = 1;
    for (const int queries : {1, 64, 100, 300}) {
      const cuda::Shape shape{
          .batch = 1, .heads = 1, .group = 1, .queries = queries, .keys = 300, .head_dim = 64};
      for (int query = 0; query < queries; query += cuda::kTile) {
        const auto range = cuda::TileRange::of_queries(shape, tables, {}, 0, 0, query);
        for (int tile = 0; tile < 5; ++tile) {
          bool seen = false;
          for (int i = query; i < std::min(query + 64, queries); ++i)
            for (int j = 64 * tile; j < std::min(64 * tile + 64, 300); ++j)
              seen |= i + 300 - queries - j >= 0 && i + 300 - queries - j <= last;
          EXPECT_EQ(seen, tile >= range.begin && tile < range.end) << last << ' ' << queries << ' ' << tile;
        }
      }
    }
  }
}

}  // namespace certified_tiles_test
