// Rationals biased to zero, ones, tiny and huge sizes.
#pragma once

#include <rapidcheck.h>

#include "tests/generators/show.h"
#include "theory/source/rational.h"

namespace gpe::testing {

inline rc::Gen<theory::Rational> any_rational() {
  using theory::Rational;
  return rc::gen::weightedOneOf<Rational>(
      {{1, rc::gen::element(Rational(0), Rational(1), Rational(-1), Rational(1, 2), Rational(-1, 3))},
       {4, rc::gen::apply([](std::int64_t p, std::int64_t q) { return Rational(p, q); },
                          rc::gen::inRange<std::int64_t>(-50, 50), rc::gen::inRange<std::int64_t>(1, 20))},
       {1, rc::gen::apply([](std::int64_t p, std::int64_t e) { return Rational(p) * Rational(10).pow(e); },
                          rc::gen::inRange<std::int64_t>(-9, 9), rc::gen::inRange<std::int64_t>(-30, 30))}});
}

/// p/q with 1 <= p, q <= most.
inline rc::Gen<theory::Rational> positive_rational(std::int64_t most = 20) {
  return rc::gen::apply([](std::int64_t p, std::int64_t q) { return theory::Rational(p, q); },
                        rc::gen::inRange<std::int64_t>(1, most + 1),
                        rc::gen::inRange<std::int64_t>(1, most + 1));
}

}  // namespace gpe::testing
