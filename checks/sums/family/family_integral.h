// ∫ f, ∫ A f and ∫ x f over [M, N] or [M, ∞) for the exponential-power family, f = e^A.
//
// With x = t², h(t) = e^{-δt² - γt}(1 + t²)^{-β} and y = h log(1 + t²):
//   ∫ f = ∫ 2t h,   ∫ x f = ∫ 2t³ h,   -∫ A f = ∫ 2t ((δt² + γt) h + β y) dt,
// panel by panel from the Taylor series of h and y, whose coefficients satisfy recurrences with integer
// coefficients (docs/bounds.md, J4), up to a cut (J5).
#pragma once

#include <optional>

#include "checks/sums/family/family_plan.h"

namespace gpe::checks {

/// @param end  N, or nothing for infinity; then the integrals converge and `cut` is where they are cut
/// (square root) Errors of the parts are in the radii. With delta = gamma = 0 a closed form.
Moments family_integral(const ExponentialPower& family, const Integer& start,
                        const std::optional<Integer>& end, double cut, const FamilyAim& aim,
                        const theory::Context& context);

/// One panel, |t - c| <= half, what it leaves out included (J4).
Moments panel_integral(const ExponentialPower& family, const PanelShape& shape, WantedMoments wanted);
/// J4: bounds of |2t h|, |2t A h| and |2t³ h| on the disc |t - c| <= θc, θ = disc/100 < 1.
Moments panel_size(const ExponentialPower& family, const Integer& centre, int disc);
/// J4: bounds of what the Taylor series of length n leave out of the integrals over |t - c| <= u,
///   2u·size·(u/θc)^n/((n + 1)(1 - u/θc)).
Moments panel_truncation(const ExponentialPower& family, const PanelShape& shape, const Ball& reach);

}  // namespace gpe::checks
