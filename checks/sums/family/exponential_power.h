// The exponential-power family: scores A(n) = offset - delta·n - beta·log(1 + n) - gamma·sqrt(n).
#pragma once

#include <optional>

#include "checks/arb/integer.h"
#include "checks/sums/moments.h"
#include "theory/exact/context.h"
#include "theory/exact/form.h"

namespace gpe::checks {

/// The exponents, all rational and >= 0, not all zero.
struct ExponentialPower {
  theory::Rational delta;
  theory::Rational beta;
  theory::Rational gamma;
};

/// Recognizes the score; exact, however it is written (log(n + 1), n^(1/2), sums of such terms).
/// @param offset  receives the constant term
/// @return nothing when it is another kind of score, or an exponent is negative or irrational
std::optional<ExponentialPower> exponential_power(const theory::Expr& score, theory::Form& offset,
                                                  const theory::Context& context);

/// delta = D/Q, beta = B/Q, gamma = G/Q with integers, Q least: recurrences with exact coefficients.
struct IntegerExponents {
  Integer d;
  Integer b;
  Integer g;
  Integer q;
  explicit IntegerExponents(const ExponentialPower& family);
};

/// base^exponent, an exponent >= 0.
Ball power(const Ball& base, long exponent, long bits);

/// The exponents as balls, and -A at a point.
struct BallExponents {
  Ball delta;
  Ball beta;
  Ball gamma;
  long bits;
  BallExponents(const ExponentialPower& family, long working_bits);
  /// delta·x + beta·log(1 + x) + gamma·root, root = sqrt(x).
  Ball decay(const Ball& x, const Ball& root) const;
};

/// The same in floating point, for choosing where to look.
struct ApproximateExponents {
  double delta;
  double beta;
  double gamma;
  explicit ApproximateExponents(const ExponentialPower& family);
  double decay(double x) const;
};

}  // namespace gpe::checks
