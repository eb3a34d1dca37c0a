// Euler–Maclaurin summation for f = e^A, -A e^A, n e^A of the exponential-power family: the boundary terms
// from recurrences with integer coefficients, and the proved remainder (docs/bounds.md, J1 to J3).
//
//   Σ_{n=M}^{N} f = ∫_M^N f + (f(M) + f(N))/2 + Σ_{k=1}^{K} B_{2k}/(2k)·(c_{2k-1}(N) - c_{2k-1}(M)) + R,
//   c_j(x) = f^{(j)}(x)/j!;  for N = ∞ the terms at N vanish
#pragma once

#include "checks/sums/family/exponential_power.h"
#include "theory/exact/context.h"

namespace gpe::checks {

/// f(x)/2 + sign·Σ_{k=1}^{order/2} B_{2k}/(2k) c_{2k-1}(x) for the three functions, S with the sign of A.
/// @param x  an integer >= 1;  sign  -1 at M, +1 at N
/// @throws theory::TimeUp
Moments family_boundary(const ExponentialPower& family, const Integer& x, long order, int sign, long bits,
                        WantedMoments wanted, const theory::Context& context);

/// J1: on the disc |z - x| <= ρx, |f(z)| <= size = G(x) and |A(z)| <= slope·y for every y >= x with the disc
/// of y.
struct FamilyDisc {
  Ball size;
  Ball slope;  ///< C(x)
};
FamilyDisc family_disc(const ExponentialPower& family, const Ball& x, const theory::Rational& radius);

/// J2: bounds of |R|,
///   4 (2K)! (2πρ)^{-2K} G(M)·{M^{1-2K}/(2K-1), C(M) M^{2-2K}/(2K-2), (1+ρ) M^{2-2K}/(2K-2)}.
/// @param radius  0 < ρ < 1;  order  2K >= 4
Moments family_remainder(const ExponentialPower& family, const Integer& start, long order,
                         const theory::Rational& radius);

/// J3: bounds of what is left out at N when only `kept` of the `order` derivatives are used there; not finite
/// when order >= 2πρN.
Moments family_dropped_terms(const ExponentialPower& family, const Integer& end, long kept, long order,
                             const theory::Rational& radius);

}  // namespace gpe::checks
