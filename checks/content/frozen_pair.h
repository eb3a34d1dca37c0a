// Numbers for one query and one key at all distances (`frozen:SEED`): c(n) = qᵀ W(n) k/√d with |q||k|/√d = B.
#pragma once

#include <cstdint>
#include <vector>

#include "checks/content/steady_rotation.h"
#include "checks/sums/sums.h"

namespace gpe::checks {

/// Two vectors of whole numbers, each entry a sum of twelve uniform ones (nearly normal, so nearly uniform in
/// direction); the same on every machine.
struct FrozenPair {
  std::vector<std::int64_t> query;
  std::vector<std::int64_t> key;
};
FrozenPair frozen_pair(std::uint64_t seed, int head_dim);

/// c(n)/B = Σ_j a_j cos(θ_j(n) - φ_j) for rotations: the amplitudes a_j >= 0 and phases, block by block.
std::vector<FrozenBlock> frozen_blocks(const FrozenPair& pair, theory::Layout layout, long bits);

/// Z, H and the mean distance over 0 … length, or over all n when Σ e^{A+} converges: terms one by one; those
/// beyond are bounded by Σ_{n>N} e^{A+}, with N as far as the digits need and the time allows.
/// Never throws: missing values carry a reason.
Sums frozen_sums(const theory::ScoreFunction& law, std::uint64_t seed, const theory::Rational& bound,
                 const std::optional<theory::Rational>& length, int digits, const theory::Context& context);

/// What is known of the integers k ≠ 0 with Σ k_j ω_j ∈ 2πℤ: there are none, or each has an entry of at least
/// `least` in size.
struct Relations {
  std::optional<theory::Rational> least;
};

/// The growth law of frozen-pair rotations with constant gain and no bias (docs/readings.md): Z_L ~ L M and
/// H_L = log L + log M - S/M + o(1), where M and S are the means of e^A and A e^A over the torus of phases
/// that are approached; enclosed also where frequencies are related.
struct FrozenGrowth {
  Ball z_over_length;
  Ball entropy_less_log;
};
/// @param scale  s = |f| |q||k|/√d
FrozenGrowth frozen_growth(const FrozenPair& pair, theory::Layout layout, const Ball& scale,
                           const Relations& relations, long bits);

}  // namespace gpe::checks
