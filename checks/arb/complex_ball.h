// Complex balls, and expressions over them: for bounds on discs and for integrals in the complex plane.
#pragma once

#include <acb.h>

#include "checks/arb/ball.h"
#include "checks/arb/result_of.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

/// A complex number known to lie in a box.
class ComplexBall {
 public:
  ComplexBall() { acb_init(value_); }
  explicit ComplexBall(const Ball& real) : ComplexBall() { arb_set(acb_realref(value_), real.raw()); }
  ComplexBall(const Ball& real, const Ball& imaginary) : ComplexBall(real) {
    arb_set(acb_imagref(value_), imaginary.raw());
  }
  ComplexBall(const ComplexBall& other) : ComplexBall() { acb_set(value_, other.value_); }
  ComplexBall(ComplexBall&& other) noexcept : ComplexBall() { acb_swap(value_, other.value_); }
  ComplexBall& operator=(const ComplexBall& other) {
    if (this != &other) acb_set(value_, other.value_);
    return *this;
  }
  ComplexBall& operator=(ComplexBall&& other) noexcept {
    acb_swap(value_, other.value_);
    return *this;
  }
  ~ComplexBall() { acb_clear(value_); }

  Ball real() const { return result_of<Ball>(arb_set, acb_realref(value_)); }
  Ball abs(long bits) const { return result_of<Ball>(acb_abs, value_, bits); }
  bool is_finite() const { return acb_is_finite(value_) != 0; }
  const acb_struct* raw() const { return value_; }
  acb_struct* raw() { return value_; }

 private:
  acb_t value_;
};

/// Number operations for theory::Evaluator. With `analytic`, a value is finite only when the operation is
/// analytic on the whole box (branch cuts give an unknown value), as rigorous quadrature needs.
class ComplexOperations {
 public:
  using Value = ComplexBall;
  ComplexOperations(long bits, bool analytic) : bits_(bits), analytic_(analytic) {}

  ComplexBall number(const theory::Rational& value) const { return ComplexBall(Ball(value, bits_)); }
  ComplexBall pi() const { return ComplexBall(Ball::pi(bits_)); }
  ComplexBall add(const ComplexBall& a, const ComplexBall& b) const;
  ComplexBall mul(const ComplexBall& a, const ComplexBall& b) const;
  ComplexBall pow(const ComplexBall& base, const ComplexBall& exponent,
                  const theory::Rational* literal) const;
  ComplexBall call(theory::Function function, const std::vector<ComplexBall>& arguments) const;
  std::optional<bool> compare(theory::Relation, const ComplexBall&, const ComplexBall&) const {
    return std::nullopt;
  }
  ComplexBall either(const ComplexBall& a, const ComplexBall& b) const;
  std::optional<std::int64_t> integer(const ComplexBall& value) const;
  ComplexBall cut_entropy(const ComplexBall& at) const;

 private:
  long bits_;
  bool analytic_;
};

using ComplexEvaluator = theory::Evaluator<ComplexOperations>;

/// An expression in n at a complex box; unknown where it is not defined or not analytic.
ComplexBall evaluate_complex(const theory::Expr& expression, const ComplexBall& n, long bits, bool analytic);

}  // namespace gpe::checks
