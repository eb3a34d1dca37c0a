// Truncated power series with ball coefficients, and expressions over them: Taylor coefficients, all at once.
#pragma once

#include <arb_poly.h>

#include "checks/arb/ball.h"
#include "checks/arb/result_of.h"
#include "theory/exact/context.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

/// Σ_{k < length} c_k t^k; the length lives in the operations.
class PowerSeries {
 public:
  PowerSeries() { arb_poly_init(value_); }
  PowerSeries(const PowerSeries& other) : PowerSeries() { arb_poly_set(value_, other.value_); }
  PowerSeries(PowerSeries&& other) noexcept : PowerSeries() { arb_poly_swap(value_, other.value_); }
  PowerSeries& operator=(const PowerSeries& other) {
    if (this != &other) arb_poly_set(value_, other.value_);
    return *this;
  }
  PowerSeries& operator=(PowerSeries&& other) noexcept {
    arb_poly_swap(value_, other.value_);
    return *this;
  }
  ~PowerSeries() { arb_poly_clear(value_); }

  void set(long k, const Ball& coefficient) { arb_poly_set_coeff_arb(value_, k, coefficient.raw()); }
  Ball coefficient(long k) const { return result_of<Ball>(arb_poly_get_coeff_arb, value_, k); }
  const arb_poly_struct* raw() const { return value_; }
  arb_poly_struct* raw() { return value_; }

 private:
  arb_poly_t value_;
};

class SeriesOperations {
 public:
  using Value = PowerSeries;
  /// @param clock  asked for the time before each operation on long series; TimeUp passes through
  SeriesOperations(long length, long bits, const theory::Context* clock = nullptr)
      : length_(length), bits_(bits), clock_(clock) {}

  PowerSeries number(const theory::Rational& value) const;
  PowerSeries pi() const;
  PowerSeries add(const PowerSeries& a, const PowerSeries& b) const;
  PowerSeries mul(const PowerSeries& a, const PowerSeries& b) const;
  PowerSeries pow(const PowerSeries& base, const PowerSeries& exponent,
                  const theory::Rational* literal) const;
  PowerSeries call(theory::Function function, const std::vector<PowerSeries>& arguments) const;
  std::optional<bool> compare(theory::Relation relation, const PowerSeries& a, const PowerSeries& b) const;
  PowerSeries either(const PowerSeries& a, const PowerSeries& b) const;
  std::optional<std::int64_t> integer(const PowerSeries& value) const;
  PowerSeries cut_entropy(const PowerSeries& at) const;

 private:
  void check_time() const;
  PowerSeries polygamma(const PowerSeries& order, const PowerSeries& x) const;

  long length_;
  long bits_;
  const theory::Context* clock_;
};

using SeriesEvaluator = theory::Evaluator<SeriesOperations>;

/// Taylor coefficients of an expression in n at n = center + t, `length` of them.
PowerSeries taylor(const theory::Expr& expression, const Ball& center, long length, long bits,
                   const theory::Context* clock = nullptr);

}  // namespace gpe::checks
