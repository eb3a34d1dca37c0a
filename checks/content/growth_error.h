// Growth laws beside the numbers they are about: how far Z_L and H_L are from them at a length.
#pragma once

#include <optional>
#include <string>

#include "checks/arb/ball.h"
#include "checks/content/frozen_pair.h"
#include "theory/properties/growth.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// The law Z_L ~ z(L), H_L ~ h(L) as text and as numbers: theorem K1 for the bias, or frozen pairs.
class GrowthLaw {
 public:
  GrowthLaw() = default;
  explicit GrowthLaw(theory::GrowthLaws laws) : laws_(std::move(laws)) {}
  explicit GrowthLaw(FrozenGrowth frozen) : frozen_(std::move(frozen)) {}

  /// Expressions in L, or nothing; numbers in them to `digits` proved digits.
  std::optional<std::string> z_text(int digits) const;
  std::optional<std::string> entropy_text(int digits) const;

  /// Z_L/z(L) - 1 and H_L - h(L); nothing without a law, or where the law is undefined or z(L) is not
  /// positive.
  std::optional<Ball> z_error(const Ball& z, const theory::Rational& length, long bits) const;
  std::optional<Ball> entropy_error(const Ball& entropy, const theory::Rational& length, long bits) const;

 private:
  theory::GrowthLaws laws_;
  std::optional<FrozenGrowth> frozen_;
};

/// The law of one frozen pair: for a rotation by angles ω_j n, ω_j ≠ 0, of constant gain, causal, without
/// bias, window or soft cap; nothing for other laws. The ω_j are rational multiples of products of roots, and
/// of two with the same root one is a multiple of the other, at least twice as large (docs/numbers.md).
std::optional<FrozenGrowth> frozen_growth_of(const theory::ScoreFunction& law, std::uint64_t seed,
                                             const theory::Rational& bound, long bits,
                                             const theory::Context& context);

}  // namespace gpe::checks
