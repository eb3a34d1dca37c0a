#include "checks/arb/complex_ball.h"

#include "checks/arb/result_of.h"
#include "theory/exact/context.h"

namespace gpe::checks {

using theory::Function;
using theory::Rational;

namespace {

ComplexBall unknown() {
  ComplexBall result;
  acb_indeterminate(result.raw());
  return result;
}

}  // namespace

ComplexBall ComplexOperations::add(const ComplexBall& a, const ComplexBall& b) const {
  return result_of<ComplexBall>(acb_add, a.raw(), b.raw(), bits_);
}

ComplexBall ComplexOperations::mul(const ComplexBall& a, const ComplexBall& b) const {
  return result_of<ComplexBall>(acb_mul, a.raw(), b.raw(), bits_);
}

ComplexBall ComplexOperations::pow(const ComplexBall& base, const ComplexBall& exponent,
                                   const Rational* literal) const {
  ComplexBall result;
  if (literal != nullptr) {
    if (const auto whole = literal->to_int64()) {
      if (*whole == 2) {
        acb_mul(result.raw(), base.raw(), base.raw(), bits_);
      } else if (*whole == -1) {
        acb_inv(result.raw(), base.raw(), bits_);
      } else {
        acb_pow_si(result.raw(), base.raw(), *whole, bits_);
      }
      return result;
    }
    if (*literal == Rational(1, 2)) {
      acb_sqrt_analytic(result.raw(), base.raw(), analytic_ ? 1 : 0, bits_);
      return result;
    }
  }
  acb_pow_analytic(result.raw(), base.raw(), exponent.raw(), analytic_ ? 1 : 0, bits_);
  return result;
}

ComplexBall ComplexOperations::call(Function function, const std::vector<ComplexBall>& arguments) const {
  ComplexBall result;
  switch (function) {
    case Function::exp:
      acb_exp(result.raw(), arguments.front().raw(), bits_);
      return result;
    case Function::log:
      acb_log_analytic(result.raw(), arguments.front().raw(), analytic_ ? 1 : 0, bits_);
      return result;
    case Function::sin:
      acb_sin(result.raw(), arguments.front().raw(), bits_);
      return result;
    case Function::cos:
      acb_cos(result.raw(), arguments.front().raw(), bits_);
      return result;
    case Function::abs:
    case Function::floor:
    case Function::min:
    case Function::max:
      break;  // not analytic
  }
  return unknown();
}

ComplexBall ComplexOperations::either(const ComplexBall& /*a*/, const ComplexBall& /*b*/) const {
  return unknown();
}

std::optional<std::int64_t> ComplexOperations::integer(const ComplexBall& value) const {
  const auto ends =
      value.real().is_exact() && acb_is_real(value.raw()) != 0 ? value.real().ends() : std::nullopt;
  return ends ? ends->low.to_int64() : std::nullopt;
}

ComplexBall ComplexOperations::cut_entropy(const ComplexBall& /*at*/) const { return unknown(); }

ComplexBall evaluate_complex(const theory::Expr& expression, const ComplexBall& n, long bits, bool analytic) {
  ComplexEvaluator evaluator{ComplexOperations(bits, analytic)};
  evaluator.bind(theory::kIndex, n);
  try {
    return evaluator(expression);
  } catch (const theory::EvaluationError&) {
    return unknown();
  }
}

}  // namespace gpe::checks
