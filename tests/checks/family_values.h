// Exponents, decimal goldens and comparisons for the tests of the exponential-power family.
#pragma once

#include <rapidcheck.h>

#include <string>

#include "checks/sums/family/exponential_power.h"
#include "checks/sums/moments.h"
#include "tests/generators/show.h"

namespace gpe::testing {

inline checks::ExponentialPower family(const std::string& delta, const std::string& beta,
                                       const std::string& gamma) {
  const auto read = [](const std::string& text) { return theory::Rational::parse(text).value(); };
  return {read(delta), read(beta), read(gamma)};
}

inline std::string show(const checks::ExponentialPower& f) {
  return "delta " + f.delta.str() + ", beta " + f.beta.str() + ", gamma " + f.gamma.str();
}

/// c·10^-e with 1 <= c <= 99, or 0.
inline rc::Gen<theory::Rational> exponent(int smallest) {
  return rc::gen::weightedOneOf<theory::Rational>(
      {{1, rc::gen::just(theory::Rational(0))},
       {4,
        rc::gen::apply(
            [](std::int64_t c, std::int64_t e) { return theory::Rational(c) * theory::Rational(10).pow(-e); },
            rc::gen::inRange<std::int64_t>(1, 100), rc::gen::inRange<std::int64_t>(0, smallest + 1))}});
}

/// Exponents, delta > 0 or gamma > 0.
inline rc::Gen<checks::ExponentialPower> summable_family(int smallest) {
  return rc::gen::suchThat(
      rc::gen::apply(
          [](const theory::Rational& d, const theory::Rational& b, const theory::Rational& g) {
            return checks::ExponentialPower{d, b, g};
          },
          exponent(smallest), exponent(2), exponent(smallest)),
      [](const checks::ExponentialPower& f) { return f.delta.sign() > 0 || f.gamma.sign() > 0; });
}

/// The interval of the numbers that a truncated or rounded decimal may stand for.
inline checks::Ball around(const std::string& decimal, long bits) {
  const theory::Rational value = theory::Rational::parse(decimal).value();
  const std::size_t point = decimal.find('.');
  const std::size_t exponent = decimal.find('e');
  std::int64_t scale = point == std::string::npos
                           ? 0
                           : -static_cast<std::int64_t>(std::min(exponent, decimal.size()) - point - 1);
  if (exponent != std::string::npos) scale += std::stoll(decimal.substr(exponent + 1));
  return checks::Ball(value, bits).widened(checks::Ball(theory::Rational(10).pow(scale), 64));
}

/// Whether two enclosures can be of the same numbers.
inline bool agree(const checks::Moments& a, const checks::Moments& b) {
  return a.z.overlaps(b.z) && a.s.overlaps(b.s) && a.d.overlaps(b.d);
}

}  // namespace gpe::testing
