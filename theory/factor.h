// The irreducible factors of a form, read as a polynomial in its kernels.
#pragma once

#include <optional>
#include <vector>

#include "theory/form.h"

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

}  // namespace gpe::theory
