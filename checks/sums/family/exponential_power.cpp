#include "checks/sums/family/exponential_power.h"
// Tests: tests/checks/sums/family_sum_test.cpp
#include <cmath>

#include "checks/arb/result_of.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Form;
using theory::Kernel;
using theory::Rational;
using theory::Term;

namespace {

// coefficient·part when the term is a rational multiple of `part`.
std::optional<Rational> multiple_of(const Form& term, const Form& reciprocal) {
  const Form ratio = term * reciprocal;
  if (const Rational* value = ratio.rational()) return *value;
  return std::nullopt;
}

}  // namespace

std::optional<ExponentialPower> exponential_power(const Expr& score, Form& offset, const Context& context) {
  ExponentialPower family;
  offset = Form();
  const auto index = Kernel::symbol(theory::kIndex);
  const Form log_of_next = context.log(Form(1) + Form::symbol(theory::kIndex));
  struct Part {
    Rational* exponent;
    Form reciprocal;
  };
  const Part parts[] = {{&family.delta, Form::power(index, -1)},
                        {&family.gamma, Form::power(index, Rational(-1, 2))},
                        {&family.beta, theory::pow(log_of_next, Rational(-1), context.known())}};
  for (const Term& term : to_form(score, context).terms()) {
    const Form single = Form::of_terms({term});
    if (!theory::varies(single)) {
      if (single.has_symbols()) return std::nullopt;
      offset = offset + single;
      continue;
    }
    bool found = false;
    for (const Part& part : parts) {
      if (const auto factor = multiple_of(single, part.reciprocal)) {
        *part.exponent -= *factor;
        found = true;
        break;
      }
    }
    if (!found) return std::nullopt;
  }
  const auto negative = [](const Rational& x) { return x.sign() < 0; };
  if (negative(family.delta) || negative(family.beta) || negative(family.gamma)) return std::nullopt;
  if (family.delta.is_zero() && family.beta.is_zero() && family.gamma.is_zero()) return std::nullopt;
  return family;
}

IntegerExponents::IntegerExponents(const ExponentialPower& family) {
  const auto with = [](const Integer& a, const Rational& x) {
    return result_of<Integer>(fmpz_lcm, a.raw(), fmpq_denref(x.raw()));
  };
  q = with(with(Integer::denominator(family.delta), family.beta), family.gamma);
  const auto scaled = [this](const Rational& x) { return Integer::numerator(x * q.rational()); };
  d = scaled(family.delta);
  b = scaled(family.beta);
  g = scaled(family.gamma);
}

Ball power(const Ball& base, long exponent, long bits) {
  return result_of<Ball>(arb_pow_ui, base.raw(), static_cast<ulong>(exponent), bits);
}

BallExponents::BallExponents(const ExponentialPower& family, long working_bits)
    : delta(family.delta, working_bits),
      beta(family.beta, working_bits),
      gamma(family.gamma, working_bits),
      bits(working_bits) {}

Ball BallExponents::decay(const Ball& x, const Ball& root) const {
  Ball result = mul(delta, x, bits);
  if (!beta.surely_zero()) {
    const Ball logarithm = log1p(x, bits);
    arb_addmul(result.raw(), beta.raw(), logarithm.raw(), bits);
  }
  arb_addmul(result.raw(), gamma.raw(), root.raw(), bits);
  return result;
}

ApproximateExponents::ApproximateExponents(const ExponentialPower& family)
    : delta(family.delta.approximate()), beta(family.beta.approximate()), gamma(family.gamma.approximate()) {}

double ApproximateExponents::decay(double x) const {
  return delta * x + beta * std::log1p(x) + gamma * std::sqrt(x);
}

}  // namespace gpe::checks
