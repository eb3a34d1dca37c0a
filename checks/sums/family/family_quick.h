// Z and H of many members of the exponential-power family, each to about 15 proved digits in microseconds:
// fixed points and weights, pairs of doubles, and an error bound computed with every sum
// (docs/bounds.md, J7 to J10).
#pragma once

#include <optional>
#include <span>

#include "checks/sums/family/family_nodes.h"

namespace gpe::checks {

/// A(n) = -delta·n - beta·log(1 + n) - gamma·sqrt(n), the doubles taken as the exact numbers they are.
struct FamilyExponents {
  double delta;
  double beta;
  double gamma;
};

/// |Z - z| <= z_error, |H - entropy| <= entropy_error.
struct QuickSums {
  double z;
  double z_error;
  double entropy;
  double entropy_error;
};

/// The sums as they are added up, before rounding to doubles: Z, and E = Σ -A e^A.
struct QuickMoments {
  DoubleDouble z;
  DoubleDouble e;
  double z_error;
  double e_error;
};

/// J5 in doubles: what the integrals of f and -A f leave out beyond x.
/// @param decay, weight  -A(x) and e^A(x), an upper bound of it
struct QuickErrors {
  double z;
  double e;
};
QuickErrors quick_tail(const FamilyExponents& family, const FamilyPoint& x, double decay, double weight);

/// J10: the relative error of each term, rounding in the sum included, is at most this.
inline constexpr double kRoundingError = 0x1p-70;

/// The nodes, made once: some milliseconds. Sums may then run in many threads.
class QuickFamily {
 public:
  /// Over all n >= 0.
  /// @return nothing where this method does not apply, family_sum does: an exponent that is neither 0 nor
  /// between
  ///   2^-80 and 2^9, delta = gamma = 0, a decay too slow for the last panel or too fast for the first
  std::optional<QuickMoments> moments(const FamilyExponents& family) const;
  std::optional<QuickSums> operator()(const FamilyExponents& family) const;
  /// sums[i] for families[i], on `threads` threads. @pre equal sizes, threads >= 1
  void all(std::span<const FamilyExponents> families, std::span<std::optional<QuickSums>> sums,
           unsigned threads) const;
  const FamilyNodes& nodes() const { return nodes_; }

 private:
  FamilyNodes nodes_;
  ExpMinus exp_minus_;
};

}  // namespace gpe::checks
