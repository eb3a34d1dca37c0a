// Sums of a score with floors that never stop stepping: block by block, on each of which it is smooth.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checks/sums/moments.h"
#include "theory/exact/context.h"

namespace gpe::checks {

class SteppedSum {
 public:
  /// @param score  A(n) with floors of monotone functions
  /// @throws theory::Undecided  when it is not of that kind
  SteppedSum(theory::Expr score, std::int64_t first, int digits, const theory::Context& context);

  /// Σ over first <= n <= last, or over all n: blocks until the rest is proved to be below the last digit, by
  /// bound E4 (tail_bounds.h) for an upper envelope (floor(x) in (x - 1, x]) that decreases on [N, ∞). Over
  /// all n, A must be affine in each floor.
  /// @throws theory::Undecided, theory::TimeUp.
  Moments sum(const std::optional<theory::Rational>& last, WantedMoments wanted);
  const std::string& method() const { return method_; }
  long bits() const { return bits_; }

 private:
  struct Step {
    theory::Expr floor;     ///< floor(g)
    theory::Expr argument;  ///< g(n), monotone from `from_` on
  };
  struct Bounds {
    theory::Expr below;
    theory::Expr above;
    theory::Rational from;  ///< smooth, and on their sides of A, for every real n >= from
  };
  const Bounds& bounds();
  theory::Rational value_of(const Step& step, const theory::Rational& n) const;
  theory::Rational last_of_block(const theory::Rational& n) const;
  Moments over_block(const theory::Rational& n, const theory::Rational& last, WantedMoments wanted) const;
  std::optional<Moments> remainder_beyond(const theory::Rational& n, WantedMoments wanted);

  theory::Expr score_;
  std::int64_t first_;
  std::int64_t from_;
  int digits_;
  theory::Context context_;
  long bits_;
  std::vector<Step> steps_;
  std::optional<Bounds> bounds_;
  std::string method_;
};

}  // namespace gpe::checks
