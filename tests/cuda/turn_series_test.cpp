// What series of rotations leave of the angles, pair by pair, beside the error that they state.
#include "model/cuda/turn_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>

namespace turn_series_test {

using gpe::model::turn_series;
using gpe::model::TurnSeries;
using Complex = std::complex<double>;

struct Tables {
  std::vector<float> cosine, sine;
};

Tables tables(std::int64_t blocks, std::int64_t length,
              const std::function<double(std::int64_t, double)>& angle) {
  Tables result;
  for (std::int64_t j = 0; j < blocks; ++j) {
    for (std::int64_t n = 0; n < length; ++n) {
      const double theta = angle(j, static_cast<double>(n));
      result.cosine.push_back(static_cast<float>(std::cos(theta)));
      result.sine.push_back(static_cast<float>(std::sin(theta)));
    }
  }
  return result;
}

// The factor of the pair at places a and b of a tile, as the kernels make it up.
Complex factor(const TurnSeries& series, std::int64_t blocks, std::int64_t tile, std::int64_t j, double a,
               double b, int terms) {
  const float* p = series.coefficients.data() + (tile * blocks + j) * 3;
  const double p0 = static_cast<double>(p[0]), p1 = static_cast<double>(p[1]), p2 = static_cast<double>(p[2]);
  Complex sum = 0, term = 1;
  for (int r = 0; r < terms; ++r) {
    sum += term;
    term *= Complex(0, -2 * p2 * a * b) / static_cast<double>(r + 1);
  }
  return std::polar(1.0, p0 + p1 * (a - b) + p2 * (a * a + b * b)) * sum;
}

void keeps_its_word(std::int64_t blocks, std::int64_t length, double tolerance, int least,
                    const std::function<double(std::int64_t, double)>& angle) {
  const Tables of = tables(blocks, length, angle);
  const TurnSeries series =
      turn_series(of.cosine, of.sine, blocks, length, tolerance, static_cast<int>(blocks / 4));
  int used = 0;
  for (std::int64_t tile = 0; tile < series.tiles; ++tile) {
    EXPECT_LE(series.error[static_cast<std::size_t>(tile)], tolerance);
    bool started = false;
    for (std::int64_t group = 0; group < series.groups; ++group) {
      const int terms = series.terms[static_cast<std::size_t>(tile * series.groups + group)];
      EXPECT_TRUE(terms > 0 || !started) << "groups with terms come last";
      started |= terms > 0;
      used += terms > 0 ? 1 : 0;
      for (std::int64_t j = 8 * group; terms > 0 && j < std::min(blocks, 8 * group + 8); ++j) {
        for (std::int64_t a = 0; a < 64; ++a) {
          for (std::int64_t b = 0; b < 64; ++b) {
            const std::int64_t n = 64 * tile + a - b;
            if (n < 0 || n >= length) continue;
            const auto at = static_cast<std::size_t>(j * length + n);
            const Complex exact(static_cast<double>(of.cosine[at]), static_cast<double>(of.sine[at]));
            const Complex found = factor(series, blocks, tile, j, static_cast<double>(a) - 31.5,
                                         static_cast<double>(b) - 31.5, terms);
            ASSERT_LE(std::abs(found - exact), series.error[static_cast<std::size_t>(tile)] + 1e-12)
                << tile << ' ' << j << ' ' << a << ' ' << b;
          }
        }
      }
    }
  }
  EXPECT_GE(used, least);
}

TEST(TurnSeries, errs_by_no_more_than_it_says) {
  const auto slow = [](std::int64_t j, double n) {
    return std::pow(10000.0, -static_cast<double>(j) / 16) * n;
  };
  keeps_its_word(16, 300, 1e-3, 5,
                 [&](std::int64_t j, double n) { return slow(j, n) / (1 + std::log1p(n)); });
  keeps_its_word(16, 200, 1e-4, 6, [&](std::int64_t j, double n) {
    return slow(j, std::min(n, 100.0 + static_cast<double>(j)));
  });
  keeps_its_word(16, 200, 1e-3, 8, [](std::int64_t j, double n) {
    return n / (3.0 + static_cast<double>(j)) + n * n / std::pow(1.0 + static_cast<double>(j), 3) / 20000;
  });
  keeps_its_word(8, 70, 1e-3, 0, [](std::int64_t, double n) { return n * n; });  // nothing is slow enough
  keeps_its_word(4, 65, 1e-3, 1, [&](std::int64_t j, double n) { return slow(j, n) / 50; });
}

TEST(TurnSeries, has_none_where_a_size_is_not_1) {
  Tables of = tables(8, 200, [](std::int64_t, double n) { return n / 100; });
  for (float& x : of.cosine) x *= 0.99F;
  for (float& x : of.sine) x *= 0.99F;
  for (const int terms : turn_series(of.cosine, of.sine, 8, 200, 1e-3, 2).terms) EXPECT_EQ(terms, 0);
}

}  // namespace turn_series_test
