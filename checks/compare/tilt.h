// Laws whose bias is b_0(n) + θ·φ(n) in a parameter θ, with φ and b monotone in n: what that proves of how
// their numbers move with θ (docs/compare.md, V5).
#pragma once

#include <optional>

#include "checks/compare/comparison.h"

namespace gpe::checks {

struct Tilt {
  theory::Expr slope = theory::Expr(0);  ///< φ(n)
  theory::Expr base = theory::Expr(0);   ///< b_0(n)
  int direction = 0;  ///< -1: φ never rises with n, and is not constant; +1: it never falls
};

/// @param law  closed but for the parameter
/// @param low, high  the values of the parameter in question
/// @return nothing unless it is proved: the bias is affine in the parameter, nothing else mentions it, b does
/// not rise with n at either end (so nowhere between), and φ does not rise or does not fall with n
std::optional<Tilt> tilt_of(const theory::ScoreFunction& law, const std::string& parameter,
                            const theory::Rational& low, const theory::Rational& high,
                            const theory::Context& context);

/// Whether the quantity then never rises with the parameter (direction -1), or never falls (+1): entropy,
/// mean distance, window and self-reach; local range, when φ(first) = 0 and b(first) = 0.
bool is_monotone(const Tilt& tilt, ComparedQuantity quantity, const theory::ScoreFunction& law,
                 const theory::Context& context);

/// A proof that g does not rise over the integers n >= first.
bool never_rises_over_integers(const theory::Expr& g, std::int64_t first, const theory::Context& context);

/// The values at which n = N + 1 leaves the local range: θ with b_θ(N + 1) = -C1.
/// @pre is_monotone for the local range. @throws theory::Undecided
theory::Expr where_range_ends(const Tilt& tilt, const theory::Rational& next,
                              const theory::Rational& threshold, const theory::Context& context);

}  // namespace gpe::checks
