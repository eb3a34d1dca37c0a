#include "model/cuda/turn_series.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace gpe::model {

namespace {

constexpr double kHalf = 31.5;  // places in a tile, counted from its middle, are at most this
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kTurn = 2 * std::numbers::pi;

struct Fit {
  std::array<float, 3> p{};  // as the device has them
  double error = kNever;     // of the fit, over the distances of the tile

  /// Of the angle, with this many terms: Σ_{r >= terms} x^r/r! <= x^terms/terms!·e^x
  double with(int terms) const {
    const double x = 2 * std::abs(static_cast<double>(p[2])) * kHalf * kHalf;
    double rest = std::exp(x);
    for (int r = 1; r <= terms; ++r) rest *= x / r;
    return error + rest;
  }
};

// Quadratics by least squares over the distances of a tile that are there; the error of one is found at each
// of them.
class TileFits {
 public:
  TileFits(std::int64_t length, std::int64_t middle)
      : first_(std::max<std::int64_t>(middle - 63, 0)),
        last_(std::min(middle + 63, length - 1)),
        middle_(middle) {
    Eigen::Matrix3d sums = Eigen::Matrix3d::Zero();
    for (std::int64_t n = first_; n <= last_; ++n) sums += powers(n) * powers(n).transpose();
    equations_.compute(sums);
  }

  /// @param cosine, sine  of one block, by distance
  Fit of(const float* cosine, const float* sine) {
    Fit result;
    if (last_ - first_ < 2) return result;
    Eigen::Vector3d sums = Eigen::Vector3d::Zero();
    double size_error = 0, before = 0, step = 0;
    angles_.clear();
    for (std::int64_t n = first_; n <= last_; ++n) {
      const double c = static_cast<double>(cosine[n]), s = static_cast<double>(sine[n]);
      double angle = std::atan2(s, c);
      if (n > first_) {  // the branch that continues the line through the two before
        const double expected = before + step;
        angle += kTurn * std::nearbyint((expected - angle) / kTurn);
        step = angle - before;
      }
      before = angle;
      size_error = std::max(size_error, std::abs(c * c + s * s - 1));  // not below |size - 1|
      sums += angle * powers(n);
      angles_.push_back(angle);
    }
    Eigen::Vector3d solution = equations_.solve(sums);
    const double whole = kTurn * std::nearbyint(solution[0] / kTurn);
    solution[0] -= whole;
    for (std::size_t k = 0; k < 3; ++k)
      result.p[k] = static_cast<float>(solution[static_cast<Eigen::Index>(k)]);
    const Eigen::Vector3d p{whole + static_cast<double>(result.p[0]), static_cast<double>(result.p[1]),
                            static_cast<double>(result.p[2])};
    double error = 0;
    for (std::int64_t n = first_; n <= last_; ++n) {
      const double angle = angles_[static_cast<std::size_t>(n - first_)];
      error = std::max(error, std::abs(p.dot(powers(n)) - angle));
    }
    result.error = error + size_error;
    return result;
  }

 private:
  Eigen::Vector3d powers(std::int64_t n) const {
    const auto x = static_cast<double>(n - middle_);
    return {1, x, x * x};
  }

  std::int64_t first_, last_, middle_;
  Eigen::LDLT<Eigen::Matrix3d> equations_;  // the normal ones
  std::vector<double> angles_;              // of the block at hand, without jumps
};

}  // namespace

TurnSeries turn_series(std::span<const float> cosine, std::span<const float> sine, std::int64_t blocks,
                       std::int64_t length, double tolerance, int most_terms) {
  TurnSeries result;
  result.tiles = (length + TurnSeries::kTile - 1) / TurnSeries::kTile + 1;
  result.groups = static_cast<int>((blocks + TurnSeries::kGroup - 1) / TurnSeries::kGroup);
  result.tolerance = tolerance;
  result.terms.assign(static_cast<std::size_t>(result.tiles * result.groups), 0);
  result.coefficients.assign(static_cast<std::size_t>(result.tiles * blocks * 3), 0);
  for (std::int64_t tile = 0; tile < result.tiles; ++tile) {
    TileFits tile_fits(length, tile * TurnSeries::kTile);
    double error = 0;
    int left = most_terms;
    // from the last group, which turns slowest, to the first
    for (int group = result.groups - 1; group >= 0; --group) {
      const std::int64_t begin = group * TurnSeries::kGroup;
      const std::int64_t end = std::min<std::int64_t>(blocks, begin + TurnSeries::kGroup);
      std::vector<Fit> fits;
      for (std::int64_t j = begin; j < end; ++j)
        fits.push_back(tile_fits.of(cosine.data() + j * length, sine.data() + j * length));
      const auto worst = [&](int count) {
        double largest = 0;
        for (const Fit& one : fits) largest = std::max(largest, one.with(count));
        return largest;
      };
      int needed = 1;
      while (needed <= TurnSeries::kMaxTerms && !(worst(needed) <= tolerance)) ++needed;
      if (needed > TurnSeries::kMaxTerms || needed > left) break;
      result.terms[static_cast<std::size_t>(tile * result.groups + group)] = needed;
      left -= needed;
      error = std::max(error, worst(needed));
      for (std::int64_t j = begin; j < end; ++j) {
        const auto& p = fits[static_cast<std::size_t>(j - begin)].p;
        for (std::size_t k = 0; k < 3; ++k)
          result.coefficients[static_cast<std::size_t>((tile * blocks + j) * 3) + k] = p[k];
      }
    }
    result.error.push_back(error);
  }
  return result;
}

}  // namespace gpe::model
