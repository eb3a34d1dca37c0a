// Integers of any size: the exact coefficients of recurrences.
// Tests: tests/checks/sums/family_bounds_test.cpp
#pragma once

#include <flint/fmpz.h>

#include <cstdint>

#include "checks/arb/ball.h"
#include "checks/arb/result_of.h"
#include "theory/source/rational.h"

namespace gpe::checks {

class Integer {
 public:
  Integer() { fmpz_init(value_); }
  Integer(std::int64_t value) : Integer() { fmpz_set_si(value_, value); }  // NOLINT: a number is a number
  Integer(const Integer& other) : Integer() { fmpz_set(value_, other.value_); }
  Integer(Integer&& other) noexcept : Integer() { fmpz_swap(value_, other.value_); }
  Integer& operator=(const Integer& other) {
    fmpz_set(value_, other.value_);
    return *this;
  }
  Integer& operator=(Integer&& other) noexcept {
    fmpz_swap(value_, other.value_);
    return *this;
  }
  ~Integer() { fmpz_clear(value_); }

  static Integer numerator(const theory::Rational& value) { return copy(fmpq_numref(value.raw())); }
  static Integer denominator(const theory::Rational& value) { return copy(fmpq_denref(value.raw())); }
  /// The integer part of a finite double, for choosing where to look.
  static Integer floor(double value) { return result_of<Integer>(fmpz_set_d, value); }

  Integer& operator+=(const Integer& other) {
    fmpz_add(value_, value_, other.value_);
    return *this;
  }
  friend Integer operator+(Integer a, const Integer& b) { return a += b; }
  friend Integer operator-(const Integer& a, const Integer& b) {
    return result_of<Integer>(fmpz_sub, a.value_, b.value_);
  }
  friend Integer operator-(Integer a) {
    fmpz_neg(a.value_, a.value_);
    return a;
  }
  friend Integer operator*(const Integer& a, const Integer& b) {
    return result_of<Integer>(fmpz_mul, a.value_, b.value_);
  }
  friend bool operator<(const Integer& a, const Integer& b) { return fmpz_cmp(a.value_, b.value_) < 0; }
  friend bool operator==(const Integer& a, const Integer& b) { return fmpz_equal(a.value_, b.value_) != 0; }

  double approximate() const { return fmpz_get_d(value_); }
  theory::Rational rational() const {
    theory::Rational result;
    fmpz_set(fmpq_numref(result.raw()), value_);
    return result;
  }
  Ball ball() const { return result_of<Ball>(arb_set_fmpz, value_); }

  const fmpz* raw() const { return value_; }
  fmpz* raw() { return value_; }

 private:
  static Integer copy(const fmpz* from) { return result_of<Integer>(fmpz_set, from); }
  fmpz_t value_;
};

}  // namespace gpe::checks
