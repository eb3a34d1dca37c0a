// The half-line on which asymptotic interval forms hold, and Lemma M: when one monomial dominates another on
// it.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "checks/arb/ball.h"
#include "theory/exact/context.h"
#include "theory/exact/form.h"

namespace gpe::checks {

/// A step of a proof that did not go through (at this threshold, depth or precision). Never means "false".
struct NotProved : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Π G_i^{powers[i]} over the generators of a domain, largest growth first.
struct TailMonomial {
  std::vector<theory::Rational> powers;
  friend bool operator==(const TailMonomial&, const TailMonomial&) = default;
  /// Growth order: lexicographic.
  friend bool operator<(const TailMonomial& a, const TailMonomial& b) { return a.powers < b.powers; }
};
TailMonomial operator*(const TailMonomial& a, const TailMonomial& b);
TailMonomial pow(const TailMonomial& a, const theory::Rational& exponent);
inline TailMonomial inverse(const TailMonomial& a) { return pow(a, theory::Rational(-1)); }

/// Σ c_i·mon_i with exact closed coefficients, largest monomial first, each monomial once.
using TailSum = std::vector<std::pair<TailMonomial, theory::Form>>;

/// x itself and its iterated logarithms (`chain` = 0, 1, …), or exp(exponent) for a sum that tends to
/// infinity.
struct TailGenerator {
  int chain = -1;
  TailSum exponent;
};

/// The request to begin again with exp(exponent) among the generators; thrown by TailForm, caught by
/// with_generators.
struct GeneratorNeeded {
  TailSum exponent;
};

/// All real x >= X0, where L_m(X0) = ell (L_0 = x, L_{j+1} = log L_j).
class TailDomain {
 public:
  /// @pre 1 <= depth m <= 8, ell > 1, generators in decreasing growth
  TailDomain(const theory::Context& context, int depth, theory::Rational ell,
             std::vector<TailGenerator> generators, long bits = 128);
  /// The chain L_0 … L_m alone.
  static std::vector<TailGenerator> chain(int depth);
  /// `generators` with exp(exponent) in its place; every monomial gains a zero there.
  static std::vector<TailGenerator> with_generator(const std::vector<TailGenerator>& generators,
                                                   const TailSum& exponent);

  const theory::Context& context() const { return context_; }
  int depth() const { return depth_; }
  const theory::Rational& ell() const { return ell_; }
  long bits() const { return bits_; }
  const std::vector<TailGenerator>& generators() const { return generators_; }

  TailMonomial one() const;
  /// L_j to a power. @throws NotProved when j > m.
  TailMonomial log_power(int j, const theory::Rational& exponent = 1) const;
  TailMonomial generator_power(std::size_t place, const theory::Rational& exponent) const;

  /// An upper bound of a/b over the domain. Lemma M (docs/certificates.md): when x·(log(a/b))' <= 0 there,
  /// a/b is at most its value at X0. @throws NotProved.
  Ball ratio_bound(const TailMonomial& a, const TailMonomial& b) const;
  /// The value of a monomial at X0.
  Ball at_start(const TailMonomial& a) const;
  Ball ball(const theory::Form& closed) const;
  /// The least integer >= X0, when it is below 10^`most_digits`.
  std::optional<theory::Rational> first_integer(int most_digits = 1000) const;

 private:
  bool nonincreasing(const TailMonomial& ratio, int guard) const;
  bool nonpositive(const TailSum& sum, int guard) const;
  Ball bounded_ratio(const TailMonomial& a, const TailMonomial& b, int guard) const;
  TailSum log_derivative(const TailMonomial& monomial) const;  // x·(log monomial)'
  Ball log_at_start(const TailMonomial& a) const;

  const theory::Context& context_;
  int depth_;
  theory::Rational ell_;
  std::vector<TailGenerator> generators_;
  long bits_;
  std::vector<Ball> logs_;  // logs_[j] = L_j(X0), 1 <= j <= m + 1
};

/// Collects equal monomials, drops exact zeros, sorts by decreasing growth.
TailSum collected(TailSum terms);

}  // namespace gpe::checks
