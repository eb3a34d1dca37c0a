// Sums of e^A, A e^A and n e^A over any range of n, to many digits: terms one by one up to some M, then
// Euler–Maclaurin, the integral, and proved bounds of everything left out.
#pragma once

#include <optional>
#include <string>

#include "checks/analytic_tail.h"
#include "checks/euler_maclaurin.h"
#include "checks/sums.h"

namespace gpe::checks {

class SeriesSum {
 public:
  /// @param score  A(n), an expression in n alone
  SeriesSum(theory::Expr score, std::int64_t first, const SumOptions& options,
            const theory::ConstantOracle& oracle, theory::Context::Clock::time_point deadline);

  /// What is wanted besides Σ e^A.
  struct Want {
    bool s = true;
    bool d = true;
  };
  /// Σ over all n >= first. @pre the sums wanted converge. @throws theory::Undecided with the reason when it
  /// cannot.
  Moments total(Want want);
  /// Σ over first … last (any size up to 10^30 and beyond).
  Moments up_to(const theory::Rational& last, Want want);
  /// Σ over n > after, relative precision of the tail itself. @pre as for total.
  Moments beyond(const theory::Rational& after, Want want);
  /// How the last sum was computed.
  const std::string& method() const { return method_; }
  long bits() const { return bits_; }

 private:
  Moments direct_to(std::int64_t last);  // first … last, cached
  std::optional<Moments> attempt(const theory::Rational& start, const std::optional<theory::Rational>& last,
                                 const Moments& scale, Want want);
  std::optional<Moments> negligible_beyond(const theory::Rational& after, const Moments& scale, Want want);
  Moments infinite_integral(const theory::Rational& start, Want want);
  const SettledTail& settled();

  theory::Expr score_;
  std::int64_t first_;
  SumOptions options_;
  const theory::ConstantOracle& oracle_;
  theory::Context::Clock::time_point deadline_;
  theory::Context context_;
  long bits_;
  long accuracy_;
  std::optional<SettledTail> settled_;
  std::int64_t direct_last_;  // the last n summed so far
  Moments direct_;
  std::string method_;
};

}  // namespace gpe::checks
