#include "checks/arb/complex_ball.h"

#include <acb_hypgeom.h>

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

// atan is analytic but on the imaginary axis from i and -i outward.
bool off_the_cut_of_atan(const ComplexBall& x) {
  Ball height;
  arb_abs(height.raw(), acb_imagref(x.raw()));
  return arb_is_nonzero(acb_realref(x.raw())) != 0 || height.surely_less(Ball(1));
}

// lgamma and polygamma are analytic but at real numbers that are not positive.
bool off_the_negative_axis(const ComplexBall& x) {
  return arb_is_positive(acb_realref(x.raw())) != 0 || arb_is_nonzero(acb_imagref(x.raw())) != 0;
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
  const ComplexBall& x = arguments.back();
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
    case Function::atan:
      if (analytic_ && !off_the_cut_of_atan(x)) return unknown();
      acb_atan(result.raw(), x.raw(), bits_);
      return result;
    case Function::erfc:
      acb_hypgeom_erfc(result.raw(), x.raw(), bits_);
      return result;
    case Function::lgamma:
      if (!off_the_negative_axis(x)) return unknown();
      acb_lgamma(result.raw(), x.raw(), bits_);
      return result;
    case Function::polygamma:
      if (!off_the_negative_axis(x)) return unknown();
      acb_polygamma(result.raw(), arguments.front().raw(), x.raw(), bits_);
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
