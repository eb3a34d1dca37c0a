// Where the sums of the exponential-power family are split, and how long each expansion is: chosen in
// floating point. Nothing here is proved or needs to be: the bounds J1 to J6 are evaluated in balls
// afterwards.
#pragma once

#include <cstdint>
#include <optional>

#include "checks/arb/precision.h"
#include "checks/sums/family/exponential_power.h"

namespace gpe::checks {

/// Natural logarithms of the sizes of Z, S and D.
struct FamilyScale {
  double z;
  double s;
  double d;
};

struct FamilyAim {
  double accuracy;    ///< errors at most e^-accuracy of each sum (natural logarithm)
  FamilyScale scale;  ///< of the sums
  WantedMoments wanted;
  long bits() const { return static_cast<long>(bits_of_nats(accuracy)) + 24; }
};

/// Sizes of the sums over first <= n <= last, up to a small factor.
FamilyScale estimate_scale(const ApproximateExponents& family, double first, double last);

/// log(tail beyond x / size), the largest over the sums wanted.
double log_tail(const ApproximateExponents& family, const FamilyAim& aim, double x);
/// The least x, up to a few percent, with log_tail <= -accuracy; nothing when there is none below 10^200.
std::optional<double> cut_point(const ApproximateExponents& family, const FamilyAim& aim, double from);

/// Where Euler–Maclaurin summation starts and how far it goes.
struct FamilyStart {
  std::int64_t start = 0;   ///< M
  long order = 0;           ///< 2K
  theory::Rational radius;  ///< ρ
  double cost = 0;          ///< nanoseconds
};
/// @param end  sqrt of the last point of the integral
FamilyStart choose_start(const ApproximateExponents& family, const FamilyAim& aim, std::int64_t first,
                         double end);
/// Nanoseconds for `count` terms one by one.
double direct_cost(const ApproximateExponents& family, const FamilyAim& aim, double count);

/// A Taylor panel of the integral in t = sqrt(x): centre c, |t - c| <= half.
struct PanelShape {
  Integer centre;
  Integer half;
  int disc;  ///< the disc of the truncation bound has radius disc/100·c
  long terms;
  long bits;
};
/// The panel to the right of `left`, at most up to `end`.
PanelShape choose_panel(const ApproximateExponents& family, const FamilyAim& aim, const Integer& left,
                        const Integer& end);
/// One side only: from c to c ± length.
PanelShape choose_stub(const ApproximateExponents& family, const FamilyAim& aim, const Integer& centre,
                       double length);

}  // namespace gpe::checks
