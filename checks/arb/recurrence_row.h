// One row of a linear recurrence with integer coefficients that grow linearly with the index.
// Tests: tests/checks/sums/family_bounds_test.cpp
#pragma once

#include <flint/fmpz_vec.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "checks/arb/ball_vector.h"
#include "checks/arb/integer.h"

namespace gpe::checks {

/// Σ_i row_i·x_{k-i}: coefficients from the newest term to older ones.
class RecurrenceRow {
 public:
  /// @param steps  what `advance` adds to the first coefficients
  RecurrenceRow(std::initializer_list<Integer> values, std::initializer_list<Integer> steps = {})
      : size_(static_cast<slong>(values.size())),
        steps_(static_cast<slong>(steps.size())),
        row_(_fmpz_vec_init(size_)),
        step_(_fmpz_vec_init(steps_)) {
    std::ranges::for_each(values, [i = row_](const Integer& v) mutable { fmpz_set(i++, v.raw()); });
    std::ranges::for_each(steps, [i = step_](const Integer& v) mutable { fmpz_set(i++, v.raw()); });
  }
  RecurrenceRow(const RecurrenceRow&) = delete;
  RecurrenceRow& operator=(const RecurrenceRow&) = delete;
  ~RecurrenceRow() {
    _fmpz_vec_clear(row_, size_);
    _fmpz_vec_clear(step_, steps_);
  }

  /// From k to k + 1.
  void advance() { _fmpz_vec_add(row_, row_, step_, steps_); }
  /// result = Σ_i row_i·x_{k-i}, i <= k; `result` is not an entry of x that is read.
  void apply(arb_ptr result, const BallVector& x, long k, long bits) const {
    arb_dot_fmpz(result, nullptr, 0, x.at(k), -1, row_, 1, std::min<slong>(size_, k + 1), bits);
  }
  /// result += Σ_i row_i·x_{k-i}.
  void add(arb_ptr result, const BallVector& x, long k, long bits) const {
    arb_dot_fmpz(result, result, 0, x.at(k), -1, row_, 1, std::min<slong>(size_, k + 1), bits);
  }

 private:
  slong size_;
  slong steps_;
  fmpz* row_;
  fmpz* step_;
};

/// log2 of a number above the midpoint of |x|, for choosing a precision.
inline double log2_size(arb_srcptr x) { return static_cast<double>(arf_abs_bound_lt_2exp_si(arb_midref(x))); }

/// The working bits for each term of a power series: a term that counts for little needs few.
class TermBits {
 public:
  /// @param least_error  errors of the terms may be 2^-least_error;  log2_ratio  of the argument's powers
  TermBits(long least_error, double log2_ratio, long count) : bits_(least_error), ratio_(log2_ratio) {
    terms_.reserve(static_cast<std::size_t>(count));
  }
  /// The bits for the next term. @param size  log2 of the coefficient before it, times any further factor
  long next(double size) {
    recent_[terms_.size() % recent_.size()] = size + ratio_ * static_cast<double>(terms_.size());
    const double largest = *std::ranges::max_element(recent_) + 10;
    const double wanted = std::clamp(largest, 40.0 - static_cast<double>(bits_), 0.0);
    terms_.push_back(bits_ + static_cast<long>(wanted));
    return terms_.back();
  }
  /// Those of term k >= 1, given before.
  long operator[](long k) const { return k == 0 ? bits_ : terms_[static_cast<std::size_t>(k - 1)]; }

 private:
  long bits_;
  double ratio_;
  std::array<double, 4> recent_{};
  std::vector<long> terms_;
};

}  // namespace gpe::checks
