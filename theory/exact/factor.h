// Forms read as polynomials in their kernels: irreducible factors, exact quotients, fractions in lowest
// terms. Tests: tests/theory/exact/form_test.cpp
#pragma once

#include <optional>
#include <vector>

#include "theory/exact/form.h"

namespace gpe::theory {

/// form = content · Π factor^multiplicity, an identity of polynomials over ℚ.
struct PolynomialFactor {
  Form factor;
  std::int64_t multiplicity;
};
struct Factored {
  Rational content;
  std::vector<PolynomialFactor> factors;
};

/// Each kernel k with exponents in (1/q)·ℕ counts as a variable k^(1/q). Nullopt for a rational, for a
/// negative exponent, and for sizes that are not worth it: over 8 variables, 60 terms, or degree 40.
std::optional<Factored> factor_polynomial(const Form& form);

/// The same function, without the sums that divide both numerator and denominator:
/// n/(n + 1) + 1/(n + 1) is 1. Unchanged when nothing cancels. Defined wherever the form is.
Form lowest_terms(const Form& form);

}  // namespace gpe::theory
