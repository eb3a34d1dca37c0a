// Asymptotic interval forms: a function of x enclosed on a whole half-line.
//
//   f(x) = Σ c_i·mon_i(x) + Σ θ_k(x)·r_k·mon_k(x),   |θ_k| <= 1,   for all real x >= X0
//
// with exact closed c_i and ball bounds r_k. Every operation below is an inclusion with an explicit
// remainder, so a claim about all x >= X0 (a sign, a iterated-logarithm scale comparison) is one inequality
// between numbers. A step that does not go through throws
// NotProved; a new exponential generator is asked for by throwing GeneratorNeeded (see with_generators).
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "checks/halfline/tail_domain.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

class TailForm {
 public:
  static TailForm constant(const TailDomain& domain, const theory::Form& value);
  static TailForm monomial(const TailDomain& domain, const TailMonomial& monomial,
                           const theory::Form& coefficient = 1);
  /// θ·bound·monomial, |θ| <= 1.
  static TailForm unknown(const TailDomain& domain, const TailMonomial& monomial, const Ball& bound);

  friend TailForm operator+(const TailForm& a, const TailForm& b);
  friend TailForm operator-(const TailForm& a, const TailForm& b);
  friend TailForm operator*(const TailForm& a, const TailForm& b);

  /// f^exponent for f with a positive leading term (any sign under an integer exponent).
  TailForm pow(const theory::Rational& exponent) const;
  TailForm log() const;
  TailForm exp() const;
  /// f - θ', 0 <= θ' < 1, enclosed as f + θ.
  TailForm floor() const;
  /// sin f or cos f: by Taylor at a finite limit, else in [-1, 1].
  TailForm circular(bool sine) const;

  /// Proved sign on the whole domain. False means "not proved".
  bool surely_positive() const;
  bool surely_negative() const;
  /// Proved: f >= 0, also when f is identically 0.
  bool surely_nonnegative() const;

  const TailSum& terms() const { return terms_; }
  /// What is not exact: Σ θ_k·r_k·mon_k, |θ_k| <= 1.
  const std::vector<std::pair<TailMonomial, Ball>>& rest() const { return rest_; }
  bool is_exact() const { return rest_.empty(); }
  /// sup |f|/mon over the domain. @throws NotProved.
  Ball bound(const TailMonomial& monomial) const;
  const TailDomain& domain() const { return *domain_; }

 private:
  explicit TailForm(const TailDomain& domain) : domain_(&domain) {}
  struct Split {  // f = c·mon·(1 + ε)
    TailMonomial monomial;
    theory::Form coefficient;
    std::vector<std::pair<TailMonomial, Ball>> rest;
    TailSum terms;
  };
  Split split() const;
  TailForm relative(const Split& parts) const;  // ε
  /// Σ_{k<K} a_k ε^k + θ·last·|ε|^K, where last bounds the remainder's factor given sup|ε|.
  TailForm series(const std::vector<theory::Rational>& a, const std::function<Ball(const Ball&)>& last) const;
  void trim();

  const TailDomain* domain_;
  TailSum terms_;
  std::vector<std::pair<TailMonomial, Ball>> rest_;
};

/// atan, erfc, lgamma or polygamma of a form: bounds F6 (docs/certificates.md).
/// @param order  of polygamma; nullptr where it is not a number @throws NotProved, GeneratorNeeded
TailForm special_form(theory::Function function, const theory::Rational* order, const TailForm& x);

/// The form of an expression in n (real, n >= X0). Conditions, min, max, abs are settled by a sign claim on
/// the domain.
/// @throws NotProved, GeneratorNeeded
TailForm tail_form(const theory::Expr& expression, const TailDomain& domain);

/// Runs `work` on a domain, adding exponential generators as it asks for them. @throws NotProved.
void with_generators(const theory::Context& context, int depth, const theory::Rational& ell,
                     const std::function<void(const TailDomain&)>& work);

}  // namespace gpe::checks
