// Sums over a box of a family: with a content, and entropies where biases may rise (docs/certificates.md,
// D2).
#pragma once

#include "checks/design/box_corners.h"

namespace gpe::checks {

constexpr int kMaxTerms = 100000;  ///< one by one; as many as verifiers add

/// What no entropy in the box is below, or above: of all tokens, or of the first `length` + 1. Where biases
/// fall, it is that of a corner; a ball that is not finite when nothing is proved.
Ball entropy_bound(const std::optional<theory::Rational>& length, bool largest, const BoxCorners& at);

/// Σ e^(b + side·a) with b at one corner and a(n) at another; a >= 0, and nowhere rises.
class ContentSum {
 public:
  ContentSum(DesignPoint& at, const theory::Expr& a, int side)
      : at_(at), content_(theory::Expr(side) * a), same_(!theory::varies(a)) {}

  Ball up_to(const theory::Rational& n) const;
  /// Over n > from: one by one up to `to`; beyond it, a is between a(to + 1) and 0. @pre the sum is finite
  Ball beyond(const theory::Rational& from, const theory::Rational& to) const;

 private:
  Ball factor(const theory::Rational& n) const;

  DesignPoint& at_;
  theory::Expr content_;
  bool same_;
};

}  // namespace gpe::checks
