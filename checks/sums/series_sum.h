// Sums of e^A, A e^A and n e^A over any range of n, to many digits: terms one by one up to some M, then
// Euler–Maclaurin, the integral, and proved bounds of everything left out.
#pragma once

#include <optional>
#include <string>

#include "checks/halfline/envelope.h"
#include "checks/halfline/monotone_tail.h"
#include "checks/sums/analytic_tail.h"
#include "checks/sums/euler_maclaurin.h"
#include "checks/sums/moments.h"
#include "checks/sums/terms.h"

namespace gpe::checks {

class SeriesSum {
 public:
  /// @param score  A(n), an expression in n alone
  SeriesSum(theory::Expr score, std::int64_t first, int digits, const theory::Context& context);

  /// Σ over all n >= first. @pre the sums wanted converge. @throws theory::Undecided with the reason when it
  /// cannot.
  Moments total(WantedMoments want);
  /// Σ over first … last (any size up to 10^30 and beyond): smooth_up_to, else listed_up_to.
  Moments up_to(const theory::Rational& last, WantedMoments want);
  /// The same for a score that is smooth for all large n.
  Moments smooth_up_to(const theory::Rational& last, WantedMoments want);
  /// The same term by term, or between the places where conditions, minima and floors change.
  Moments listed_up_to(const theory::Rational& last);
  /// Σ over n > after, to the relative precision of this tail. @pre as for total.
  Moments beyond(const theory::Rational& after, WantedMoments want);
  /// How the last sum was computed.
  const std::string& method() const { return method_; }
  long bits() const { return bits_; }

 private:
  std::int64_t first_start();
  Moments scale_at(std::int64_t start, const Moments& head);
  Moments direct_to(std::int64_t last);  // first … last, cached
  Moments added(std::int64_t from, std::int64_t to);
  Moments by_pieces(std::int64_t from, std::int64_t to);
  std::optional<Moments> attempt(const theory::Rational& start, const std::optional<theory::Rational>& last,
                                 const Moments& scale, WantedMoments want);
  std::optional<Ball> small_remainder(const theory::Expr& g, const theory::Rational& after, const Ball& size);
  std::optional<Moments> negligible_beyond(const theory::Rational& after, const Moments& scale,
                                           WantedMoments want);
  std::optional<Moments> with_negligible_remainder(std::int64_t start, const Moments& head,
                                                   WantedMoments want);
  std::optional<Moments> few_terms(std::int64_t start, WantedMoments want);
  std::optional<Moments> from_the_top(const theory::Rational& last, WantedMoments want);
  std::optional<theory::Expr> leading_part(std::int64_t start);
  std::optional<Moments> by_leading_part(const std::optional<theory::Rational>& last, WantedMoments want);
  struct FarEnd {
    theory::Rational at;  ///< N2
    Moments rest;
  };
  std::optional<FarEnd> far_end(const AnalyticTail& tail, const Moments& scale, WantedMoments want);
  Ball infinite_integral_of_s(const theory::Rational& start, const Ball& size);
  Moments infinite_integral(const theory::Rational& start, const Moments& scale, WantedMoments want);
  /// The integral itself is the trouble: a larger start will hardly help.
  class NoIntegral : public theory::Undecided {
    using Undecided::Undecided;
  };
  const MonotoneTail& settled();
  struct Around {
    Envelope envelope;
    theory::Rational from;
  };
  const Around& around();
  std::int64_t few();

  theory::Expr score_;
  std::int64_t first_;
  int digits_;
  theory::Context context_;
  long bits_;
  long accuracy_;
  std::optional<MonotoneTail> settled_;
  std::optional<Around> around_;
  std::int64_t direct_last_;  // the last n summed so far
  Moments direct_;
  std::string method_;
};

}  // namespace gpe::checks
