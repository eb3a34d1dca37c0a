// Values of monomials and asymptotic interval forms at a point, from their definition alone.
#pragma once

#include <vector>

#include "checks/halfline/tail_form.h"

namespace gpe::testing {

/// Real numbers x = X0 and beyond: L_m(x) = ell + step, as balls.
inline std::vector<checks::Ball> points_of(const checks::TailDomain& domain,
                                           const std::vector<theory::Rational>& steps, long bits) {
  std::vector<checks::Ball> result;
  for (const theory::Rational& step : steps) {
    checks::Ball x(domain.ell() + step, bits);
    for (int j = 0; j < domain.depth(); ++j) x = exp(x, bits);
    result.push_back(x);
  }
  return result;
}

checks::Ball value_at(const checks::TailDomain& domain, const checks::TailSum& sum, const checks::Ball& x,
                      long bits);

inline checks::Ball value_at(const checks::TailDomain& domain, const checks::TailMonomial& monomial,
                             const checks::Ball& x, long bits) {
  checks::Ball result(1);
  for (std::size_t i = 0; i < monomial.powers.size(); ++i) {
    if (monomial.powers[i].is_zero()) continue;
    const checks::TailGenerator& generator = domain.generators()[i];
    checks::Ball base = x;
    for (int k = 0; k < generator.chain; ++k) base = log(base, bits);
    if (generator.chain < 0) base = exp(value_at(domain, generator.exponent, x, bits), bits);
    result = mul(result, pow(base, monomial.powers[i], bits), bits);
  }
  return result;
}

inline checks::Ball value_at(const checks::TailDomain& domain, const checks::TailSum& sum,
                             const checks::Ball& x, long bits) {
  checks::Ball result(0);
  for (const auto& [monomial, coefficient] : sum)
    result = add(result, mul(domain.ball(coefficient), value_at(domain, monomial, x, bits), bits), bits);
  return result;
}

inline checks::Ball value_at(const checks::TailForm& form, const checks::Ball& x, long bits) {
  checks::Ball result = value_at(form.domain(), form.terms(), x, bits);
  for (const auto& [monomial, size] : form.rest())
    result = result.widened(mul(size, value_at(form.domain(), monomial, x, bits), bits));
  return result;
}

}  // namespace gpe::testing
