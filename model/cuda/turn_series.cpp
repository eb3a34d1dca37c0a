#include "model/cuda/turn_series.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace gpe::model {

namespace {

constexpr double kHalf = 31.5;  // places in a tile, counted from its middle, are at most this
constexpr double kNever = std::numeric_limits<double>::infinity();

struct Fit {
  std::array<double, 3> p{};
  double error = kNever;  // of the fit, over the distances of the tile

  /// Of the angle, with this many terms: Σ_{r >= terms} x^r/r! <= x^terms/terms!·e^x
  double with(int terms) const {
    const double x = 2 * std::abs(p[2]) * kHalf * kHalf;
    double rest = std::exp(x);
    for (int r = 1; r <= terms; ++r) rest *= x / r;
    return error + rest;
  }
};

// The quadratic through least squares over the distances of a tile that are there; its error is found at
// each.
Fit fit(const float* even, const float* odd, std::int64_t length, std::int64_t middle) {
  const std::int64_t first = std::max<std::int64_t>(middle - 63, 0), last = std::min(middle + 63, length - 1);
  Fit result;
  if (last - first < 2) return result;
  std::vector<double> x, y;
  double size_error = 0;
  for (std::int64_t n = first; n <= last; ++n) {
    const double c = static_cast<double>(even[n]), s = static_cast<double>(odd[n]);
    double angle = std::atan2(s, c);
    // the branch that goes on straight from the two before
    if (!y.empty()) {
      const double before = y.size() > 1 ? 2 * y.back() - y[y.size() - 2] : y.back();
      angle += 2 * std::numbers::pi * std::round((before - angle) / (2 * std::numbers::pi));
    }
    size_error = std::max(size_error, std::abs(std::hypot(c, s) - 1));
    x.push_back(static_cast<double>(n - middle)), y.push_back(angle);
  }
  std::array<std::array<double, 4>, 3> m{};  // normal equations
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::array<double, 3> powers = {1, x[i], x[i] * x[i]};
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) m[a][b] += powers[a] * powers[b];
      m[a][3] += powers[a] * y[i];
    }
  }
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) {
      if (b == a) continue;
      const double factor = m[b][a] / m[a][a];
      for (std::size_t c = 0; c < 4; ++c) m[b][c] -= factor * m[a][c];
    }
  }
  for (std::size_t a = 0; a < 3; ++a) result.p[a] = m[a][3] / m[a][a];
  result.p[0] = std::remainder(result.p[0], 2 * std::numbers::pi);
  for (double& p : result.p) p = static_cast<double>(static_cast<float>(p));  // as the device has them
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double angle = result.p[0] + x[i] * (result.p[1] + x[i] * result.p[2]);
    error = std::max(error, std::abs(std::remainder(angle - y[i], 2 * std::numbers::pi)));
  }
  result.error = error + size_error;
  return result;
}

}  // namespace

TurnSeries turn_series(std::span<const float> even, std::span<const float> odd, std::int64_t blocks,
                       std::int64_t length, double tolerance, int most_terms) {
  TurnSeries result;
  result.tiles = (length + TurnSeries::kTile - 1) / TurnSeries::kTile + 1;
  result.groups = static_cast<int>((blocks + TurnSeries::kGroup - 1) / TurnSeries::kGroup);
  result.tolerance = tolerance;
  for (std::int64_t tile = 0; tile < result.tiles; ++tile) {
    std::vector<Fit> fits;
    for (std::int64_t j = 0; j < blocks; ++j) {
      fits.push_back(
          fit(even.data() + j * length, odd.data() + j * length, length, tile * TurnSeries::kTile));
      for (const double p : fits.back().p) result.coefficients.push_back(static_cast<float>(p));
    }
    // from the last group, which turns slowest, to the first
    std::vector<std::int32_t> terms(static_cast<std::size_t>(result.groups), 0);
    double error = 0;
    int left = most_terms;
    for (int group = result.groups - 1; group >= 0; --group) {
      const auto begin = fits.begin() + group * TurnSeries::kGroup;
      const auto end = fits.begin() + std::min<std::int64_t>(blocks, (group + 1) * TurnSeries::kGroup);
      const auto worst = [&](int count) {
        double largest = 0;
        for (auto one = begin; one != end; ++one) largest = std::max(largest, one->with(count));
        return largest;
      };
      int needed = 1;
      while (needed <= TurnSeries::kMostTerms && !(worst(needed) <= tolerance)) ++needed;
      if (needed > TurnSeries::kMostTerms || needed > left) break;
      terms[static_cast<std::size_t>(group)] = needed;
      left -= needed;
      error = std::max(error, worst(needed));
    }
    result.terms.insert(result.terms.end(), terms.begin(), terms.end());
    result.error.push_back(error);
  }
  return result;
}

}  // namespace gpe::model
