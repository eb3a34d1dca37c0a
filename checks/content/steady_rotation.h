// Content of one frozen pair under rotations by ω_j n, quickly: cos and sin of ω_j n from those of two parts
// of n.
#pragma once

#include <vector>

#include "checks/arb/ball.h"

namespace gpe::checks {

/// c(n)/B = Σ_j a_j cos(ω_j n - φ_j), block by block (frozen_pair.h has the pairs).
struct FrozenBlock {
  Ball cosine;  ///< a_j cos φ_j = (q1 k1 + q2 k2)/(|q||k|)
  Ball sine;    ///< a_j sin φ_j = (q1 k2 - q2 k1)/(|q||k|)
};

class SteadyRotation {
 public:
  /// @param frequencies  ω_j in radians, one for each block
  SteadyRotation(std::vector<FrozenBlock> blocks, std::vector<Ball> frequencies, long bits);

  /// Σ_j (cosine_j cos ω_j n + sine_j sin ω_j n). @pre n >= 0; quick when n comes in order.
  Ball at(std::int64_t n);

 private:
  struct Turn {
    Ball cosine;
    Ball sine;
  };
  void move_to(std::int64_t page);

  static constexpr std::int64_t kPage = 64;
  std::vector<FrozenBlock> blocks_;
  std::vector<Ball> frequencies_;
  long bits_;
  std::vector<Turn> within_;         ///< of ω_j r, 0 <= r < kPage: [r][j]
  std::vector<FrozenBlock> turned_;  ///< the blocks seen from the start of the page
  std::int64_t page_ = -1;
};

}  // namespace gpe::checks
