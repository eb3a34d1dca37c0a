// Rotations on tensor cores, tile by tile: near the middle of a tile an angle is nearly quadratic in the
// distance,
//   θ(n₀ + a - b) ≈ p₀ + p₁(a - b) + p₂(a - b)²,
// so that q and k are turned each by its own place in the tile, and what is left, e^{2i p₂ab}, is a short
// power series with one more product per term (in research on chirps, the time-bandwidth product is the
// rank).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gpe::model {

/// The angles of one head near the distances 64t - 63 … 64t + 63 of tile-diagonal t, for every block.
struct TurnSeries {
  static constexpr std::int64_t kTile = 64;
  static constexpr int kGroup = 8;  ///< blocks that go together: 16 coordinates are one step of a product
  static constexpr int kMaxTerms = 4;

  std::int64_t tiles = 0;
  int groups = 0;
  double tolerance = 0;
  /// [tile][group]: how many terms; 0: every pair by its own factors, as are all groups before it.
  std::vector<std::int32_t> terms;
  /// [tile][block][3]: p₀ (between -π and π), p₁, p₂.
  std::vector<float> coefficients;
  /// [tile]: the largest error of an angle, in radians, over blocks with terms and all distances of the tile
  /// that are there: the fit's, found at each of them, and the rest of the series.
  std::vector<double> error;
};

/// @param cosine, sine  [block][length]: the cosine and sine of each angle at n = 0 … length - 1
/// @param tolerance  of an angle, in radians; a content errs by no more than Σ_j tolerance·|q_j||k_j|
/// @param most_terms of all groups of a tile together, in units of 16 coordinates
TurnSeries turn_series(std::span<const float> cosine, std::span<const float> sine, std::int64_t blocks,
                       std::int64_t length, double tolerance, int most_terms);

}  // namespace gpe::model
