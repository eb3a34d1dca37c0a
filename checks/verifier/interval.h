// Intervals of reals with MPFR end points; every operation rounds outward.
#pragma once

#include <gmpxx.h>
#include <mpfr.h>

#include "checks/verifier/budget.h"

namespace gpe::verifier {

using Q = mpq_class;

/// A step that does not follow; `what()` names it. It never means that the contrary holds.
struct NotShown : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// A step that the calculus shows to be neither right nor wrong.
struct NotFollowed : NotShown {
  using NotShown::NotShown;
};
/// Steps for an operation on a rational number: more than its length, as a gcd takes the square of that.
std::size_t cost(const Q& q);

struct Real {
  mpfr_t value;
  Real() {
    mpfr_init2(value, 256);
    mpfr_set_zero(value, 1);
  }
  Real(const Real& other) : Real() { mpfr_set(value, other.value, MPFR_RNDN); }
  Real& operator=(const Real& other) {
    mpfr_set(value, other.value, MPFR_RNDN);
    return *this;
  }
  ~Real() { mpfr_clear(value); }
};

struct Interval {
  Real lo, hi;
  Interval(const Q& number = 0) : Interval(number, number) {}  // NOLINT: numbers are intervals
  Interval(const Q& low, const Q& high);
  bool positive() const { return mpfr_sgn(lo.value) > 0; }
  bool nonnegative() const { return mpfr_sgn(lo.value) >= 0; }
};

// @throws NotShown  outside the domain of an operation, and where numbers become too large
Interval operator+(const Interval& a, const Interval& b);
inline Interval& operator+=(Interval& a, const Interval& b) { return a = a + b; }
Interval operator-(const Interval& a);
Interval operator*(const Interval& a, const Interval& b);
Interval inverse(const Interval& a);
Interval exp(const Interval& a);
Interval log(const Interval& a);
Interval pi();
Interval power(const Interval& a, const Q& exponent);  // a > 0, or a whole exponent
inline Interval operator-(const Interval& a, const Interval& b) { return a + -b; }
Interval magnitude(const Interval& a);  // sup |a|
Q upper(const Interval& a);             // a number not below a

}  // namespace gpe::verifier
