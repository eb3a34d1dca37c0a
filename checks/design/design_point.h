// One encoding of an ordered family: its sums over all distances and over the first ones, each computed once.
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "checks/arb/precision.h"
#include "checks/sums/sums.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

class DesignPoint {
 public:
  /// @param law  closed
  DesignPoint(theory::ScoreFunction law, int digits, const theory::Context& context)
      : law_(std::move(law)), digits_(digits), context_(context) {}

  const theory::ScoreFunction& law() const { return law_; }
  /// Z and H, without content.
  const Sums& sums();
  bool surely_finite() { return sums().z.finite == Finite::yes; }
  bool surely_infinite() { return sums().z.finite == Finite::no; }
  /// Of the distances first … n; those of the window, where it is shorter.
  const PartialSum& up_to(const theory::Rational& n);
  /// The same with a content: the score b + content.
  DesignPoint& with(const theory::Expr& content);
  /// Whether −b is a number and a Bernstein function of n, so that b falls (docs/certificates.md, R1).
  bool bernstein();
  /// An n beyond which −b is proved to be at least 1 and to grow; nothing when none is found.
  std::optional<theory::Rational> far();
  /// Whether there is a window, and it ends before n.
  bool ends_before(const theory::Rational& n) const {
    return law_.last() && theory::Rational(*law_.last()) < n;
  }
  /// The sign of b(n) - value, where it is proved.
  std::optional<int> bias_against(const theory::Rational& n, const theory::Rational& value) const;
  Ball bias(const theory::Rational& n) const;
  /// e^b(n)
  Ball weight(const theory::Rational& n) const;
  long bits() const { return working_bits(digits_); }

 private:
  theory::ScoreFunction law_;
  int digits_;
  theory::Context context_;
  std::optional<Sums> sums_;
  std::optional<bool> bernstein_;
  std::optional<std::optional<theory::Rational>> far_;
  std::map<theory::Rational, PartialSum> partial_;
  std::vector<std::pair<theory::Expr, std::unique_ptr<DesignPoint>>> with_;
};

}  // namespace gpe::checks
