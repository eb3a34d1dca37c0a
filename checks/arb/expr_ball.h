// Expr over balls, and the oracle for closed constants built on it, in a context.
#pragma once

#include <map>
#include <string>

#include "checks/arb/ball.h"
#include "theory/exact/context.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

/// Number operations for theory::Evaluator. Undefined operations give an unknown ball.
class BallOperations {
 public:
  using Value = Ball;
  explicit BallOperations(long bits) : bits_(bits) {}

  Ball number(const theory::Rational& value) const { return {value, bits_}; }
  Ball pi() const { return Ball::pi(bits_); }
  Ball add(const Ball& a, const Ball& b) const { return checks::add(a, b, bits_); }
  Ball mul(const Ball& a, const Ball& b) const { return checks::mul(a, b, bits_); }
  Ball pow(const Ball& base, const Ball& exponent, const theory::Rational* literal) const;
  Ball call(theory::Function function, const std::vector<Ball>& arguments) const;
  std::optional<bool> compare(theory::Relation relation, const Ball& a, const Ball& b) const;
  Ball either(const Ball& a, const Ball& b) const { return Ball::hull(a, b, bits_); }
  std::optional<std::int64_t> integer(const Ball& value) const;
  Ball cut_entropy(const Ball& at) const;

 private:
  long bits_;
};

using BallEvaluator = theory::Evaluator<BallOperations>;

/// The value of an expression whose symbols are bound in `values`; unknown where undefined.
Ball evaluate(const theory::Expr& expression, const std::map<std::string, Ball>& values, long bits);

class BallOracle final : public theory::ConstantOracle {
 public:
  std::optional<int> sign(const theory::Expr& closed, int bits) const override;
  std::optional<theory::RationalInterval> enclose(const theory::Expr& closed, int bits) const override;
};

/// A context whose closed constants are enclosed by balls.
theory::Context ball_context(const theory::Budget& budget = theory::Budget());

}  // namespace gpe::checks
