// The normal form of exp-log constants and functions: sums of products of rational powers of kernels.
//
//   Form = Σ coefficient · Π kernel^exponent        coefficients, exponents rational
//
// Kernels are symbols, π, primes under fractional powers, and log, exp, sin, cos, powers of irreducible sums.
// Two forms with the same terms are equal; the converse holds for rationals, for products of radicals of
// primes (Besicovitch 1940), and, after `cleared`, for rational functions of independent kernels.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "theory/expression/expr.h"
#include "theory/source/rational.h"

namespace gpe::theory {

struct Kernel;
using KernelPtr = std::shared_ptr<const Kernel>;

struct KernelPower {
  KernelPtr kernel;
  Rational exponent;  ///< not zero
};

struct Term {
  Rational coefficient;             ///< not zero
  std::vector<KernelPower> powers;  ///< increasing kernels, each once
};

/// The terms of a form, shared with it.
class TermList {
 public:
  explicit TermList(std::shared_ptr<const std::vector<Term>> terms) : terms_(std::move(terms)) {}
  auto begin() const { return terms_->begin(); }
  auto end() const { return terms_->end(); }
  std::size_t size() const { return terms_->size(); }
  bool empty() const { return terms_->empty(); }
  const Term& front() const { return terms_->front(); }
  const Term& operator[](std::size_t i) const { return (*terms_)[i]; }
  std::vector<Term> copy() const { return *terms_; }

 private:
  std::shared_ptr<const std::vector<Term>> terms_;
};

class Form {
 public:
  Form() = default;
  Form(Rational value) : rational_(std::move(value)) {}  // NOLINT: numbers are forms
  Form(int value) : rational_(value) {}                  // NOLINT
  static Form power(KernelPtr kernel, const Rational& exponent = 1);
  static Form symbol(const std::string& name);
  /// Collects equal products, drops zeros, sorts.
  static Form of_terms(std::vector<Term> terms);

  /// No terms at all. (A form with terms may still denote zero; see `cleared`.)
  bool is_zero() const { return terms_ == nullptr && rational_.is_zero(); }
  /// The value when no kernel occurs.
  const Rational* rational() const { return terms_ == nullptr ? &rational_ : nullptr; }
  bool is_rational(const Rational& value) const { return terms_ == nullptr && rational_ == value; }
  TermList terms() const;
  std::size_t term_count() const {
    if (terms_) return terms_->size();
    return rational_.is_zero() ? 0 : 1;
  }

  bool mentions(std::string_view symbol) const;
  bool has_symbols() const;
  std::size_t hash() const;

  friend Form operator+(const Form& a, const Form& b);
  friend Form operator-(const Form& a, const Form& b);
  friend Form operator*(const Form& a, const Form& b);  ///< @throws Undecided  beyond 5000 products of terms
  friend Form operator-(const Form& a);
  friend bool operator==(const Form& a, const Form& b);

 private:
  static Form of_sorted(std::vector<Term> terms);  // increasing products, no zero coefficients

  Rational rational_;
  std::shared_ptr<const std::vector<Term>> terms_;
};

struct Kernel {
  enum class Kind {
    symbol,  ///< a parameter or n
    pi,      ///< the circle constant
    prime,   ///< a prime (or an unfactored integer), exponent strictly between 0 and 1
    log,     ///< log of a prime, of a kernel, or of an irreducible sum
    exp,     ///< exp of one product with coefficient 1
    power,   ///< a sum with no common factor, under a power below 1
    sum,     ///< such a sum, whose sign is not known, under a power too large to write out
    sin,
    cos,
    opaque,  ///< anything else (abs, min, floor … of undecided arguments)
  };
  Kind kind;
  std::string name;   ///< symbol
  Rational prime;     ///< prime
  bool proved_prime;  ///< prime: false for a cofactor whose primes are unknown
  Form argument;      ///< log, exp, power, sum, sin, cos
  Expr opaque;        ///< opaque
  std::size_t hash;

  static KernelPtr symbol(const std::string& name);
  static KernelPtr pi();
  static KernelPtr of_prime(const Rational& prime, bool proved);
  static KernelPtr of(Kind kind, Form argument);
  static KernelPtr of_opaque(const Expr& expression);
};

/// Total orders on structure.
int compare(const Kernel& a, const Kernel& b);
int compare(const Form& a, const Form& b);
bool same(const KernelPtr& a, const KernelPtr& b);

/// The rational content (positive) and the product of the least powers of every kernel common to all terms:
/// form = content · monomial · primitive, all exact. The primitive may have fewer terms than the form, even
/// none: dividing may write out powers of sums, which then cancel. @pre form is not zero.
struct Primitive {
  Rational content;
  std::vector<KernelPower> monomial;
  Form form;
};
Primitive primitive_part(const Form& form, bool take_monomial);

/// form · Π base^k over every power kernel with a negative exponent, until none is left. Zero iff form is, as
/// none of those bases is zero where the form is defined. Sets `denominator` to the product multiplied by.
Form cleared(const Form& form, Form* denominator = nullptr);

}  // namespace gpe::theory
