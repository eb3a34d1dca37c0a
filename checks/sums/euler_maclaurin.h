// Σ_{n=M}^{N} f(n) for f = e^A, A e^A, n e^A by Euler–Maclaurin summation with a proved remainder.
//
//   Σ_{n=M}^{N} f = ∫_M^N f + (f(M) + f(N))/2 + Σ_{k=1}^{K} B_{2k}/(2k)·(c_{2k-1}(N) - c_{2k-1}(M)) + R,
//   c_j(x) = f^{(j)}(x)/j!
//   |R| <= 4 (2K)! (2π)^{-2K}/(2K-1) · Σ_i G_i·ρ_i^{-2K}·x_i^{1-2K}                bound E1, docs/bounds.md
// over a partition M = x_0 < x_1 < … of the range, with G_i >= |f(z)| on every disc |z - x| <= ρ_i·x, x in
// [x_i, x_{i+1}].
#pragma once

#include <optional>

#include "checks/sums/analytic_tail.h"
#include "checks/sums/moments.h"

namespace gpe::checks {

/// How many derivatives are used, with the remainders this gives.
struct EulerMaclaurinPlan {
  long order = 0;     ///< 2K
  Moments remainder;  ///< E1 for the three functions
};

struct EulerMaclaurinAim {
  long accuracy;  ///< bits
  Moments scale;  ///< lower bounds of the sums' sizes: errors are measured against them
  bool want_s = true;
  bool want_d = true;
};

/// A plan whose remainders are below 2^-accuracy of the scales; nothing when M is too small for that.
/// @param end  N; for an infinite sum some N beyond which the rest is treated apart
std::optional<EulerMaclaurinPlan> plan_euler_maclaurin(const AnalyticTail& tail, const theory::Rational& end,
                                                       const EulerMaclaurinAim& aim,
                                                       const theory::Context& clock);

/// (f(M) ∓ …): the boundary terms at x, f(x)/2 + sign·Σ_k B_{2k}/(2k) c_{2k-1}(x), sign -1 at M and +1 at N.
Moments boundary_terms(const theory::Expr& score, const theory::Rational& x, long order, int sign,
                       bool want_s, bool want_d, long bits, const theory::Context& clock);

/// What is left out at N2 when Σ_{n>=M} f is taken as ∫_M^∞ f and the boundary terms at M alone, f decreasing
/// to 0 on [N2, ∞):  G(N2)·(1/2 + 1/(11ρN2)), ρ = 3/10, for orders up to farthest_order    bound E3,
/// docs/bounds.md
Moments far_boundary(const AnalyticTail& tail, const theory::Rational& end);
theory::Rational farthest_order(const theory::Rational& end);

/// Upper bounds of |f| on the discs |z - x| <= ρx over the panel x in [low, high].
Moments disc_bounds(const AnalyticTail& tail, const theory::Rational& low, const theory::Rational& high,
                    const theory::Rational& radius);

}  // namespace gpe::checks
