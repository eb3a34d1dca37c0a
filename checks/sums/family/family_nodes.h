// Fixed points and weights for all members of the exponential-power family at once: Σ_{n >= 1} f(n) is nearly
// Σ_i w_i f(x_i), with the terms themselves up to M, a correction at M and Gauss–Legendre quadrature beyond.
//
//   Σ_{n >= M} f = ∫_M^∞ f + L(f),  L(f) = f(M)/2 - Σ_k B_{2k}/(2k) c_{2k-1}(M) + R,  L(f) ~ Σ_i w_i f(M +
//   t_i)
//
// docs/bounds.md, J8 (the correction) and J9 (the quadrature).
#pragma once

#include <vector>

#include "checks/arb/ball_vector.h"
#include "checks/arb/double_double.h"

namespace gpe::checks {

/// A point with what the score needs there: A = -delta·x - beta·logarithm - gamma·root.
struct FamilyPoint {
  DoubleDouble x;
  DoubleDouble logarithm;  ///< log(1 + x)
  DoubleDouble root;       ///< sqrt(x)
};
struct FamilyNode {
  FamilyPoint point;
  DoubleDouble weight;
};

/// The weights w_i of L at the J points t_i = τ cos((2i + 1)π/(2J)), i < J: exact for polynomials of degree <
/// J.
struct EndRule {
  static constexpr std::int64_t kStart = 24;  ///< M
  static constexpr long kPoints = 20;         ///< J
  static constexpr std::int64_t kReach = 2;   ///< τ
  static constexpr long kOrder = 40;          ///< 2K
  BallVector points;                          ///< t_i
  BallVector weights;
  EndRule();
  /// L(t^j) - Σ_i w_i t_i^j; L(1) = 1/2, L(t^j) = -B_{j+1}/(j + 1).
  Ball defect(long j) const;
};
/// ρ = 9/10, the radius of the disc |z - M| <= ρM.
theory::Rational end_radius();
/// J8: |L(f) - Σ_i w_i f(M + t_i)| is at most this times the bound of |f| on the disc; for A f with the
/// remainder of docs/bounds.md J2 instead of that for f.
struct EndErrors {
  Ball f;
  Ball af;  ///< times G(M) C(M) M
};
EndErrors end_errors(const EndRule& rule);

/// Gauss–Legendre points and weights for the panels a <= x <= 4a, a = M, 4M, 16M, …
struct PanelRule {
  static constexpr long kPoints = 22;
  BallVector points;  ///< in (-1, 1)
  BallVector weights;
  PanelRule();
};
/// J9: the error on a panel is at most this times a times the bound of the integrand on the ellipse with the
/// foci a and 4a that begins at a/10; its points have |z| <= 49a/10.
Ball panel_error();

/// Everything a sum needs, in pairs of doubles.
struct FamilyNodes {
  struct Panel {
    double length;         ///< a
    FamilyPoint leftmost;  ///< a/10
    FamilyPoint farthest;  ///< 49a/10
    FamilyPoint end;       ///< 4a
    std::vector<FamilyNode> nodes;
  };
  std::vector<FamilyNode> terms;  ///< n = 1 … M - 1
  std::vector<FamilyNode> correction;
  FamilyPoint end_inner;  ///< (1 - ρ)M
  FamilyPoint end_outer;  ///< (1 + ρ)M
  std::vector<Panel> panels;
  double end_error_f;  ///< upper bounds
  double end_error_af;
  double panel_error;
  FamilyNodes();
};

}  // namespace gpe::checks
