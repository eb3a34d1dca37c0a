#include "checks/arb/power_series.h"

#include <arb_hypgeom.h>

#include "checks/arb/result_of.h"

namespace gpe::checks {

using theory::Function;
using theory::Rational;

namespace {

PowerSeries constant(const Ball& value) {
  PowerSeries result;
  result.set(0, value);
  return result;
}

// Of a function that is not known to be analytic, no coefficient is known.
PowerSeries unknown(long length) {
  PowerSeries result;
  for (long k = 0; k < length; ++k) result.set(k, Ball::unknown());
  return result;
}

}  // namespace

void SeriesOperations::check_time() const {
  if (clock_ != nullptr) clock_->check_time();
}

PowerSeries SeriesOperations::number(const Rational& value) const { return constant(Ball(value, bits_)); }
PowerSeries SeriesOperations::pi() const { return constant(Ball::pi(bits_)); }

PowerSeries SeriesOperations::add(const PowerSeries& a, const PowerSeries& b) const {
  return result_of<PowerSeries>(arb_poly_add, a.raw(), b.raw(), bits_);
}

PowerSeries SeriesOperations::mul(const PowerSeries& a, const PowerSeries& b) const {
  check_time();
  return result_of<PowerSeries>(arb_poly_mullow, a.raw(), b.raw(), length_, bits_);
}

PowerSeries SeriesOperations::pow(const PowerSeries& base, const PowerSeries& exponent,
                                  const Rational* literal) const {
  check_time();
  PowerSeries result;
  if (literal != nullptr) {
    if (*literal == Rational(-1)) {
      arb_poly_inv_series(result.raw(), base.raw(), length_, bits_);
      return result;
    }
    if (const auto whole = literal->to_int64(); whole && *whole > 0 && *whole < 64) {
      arb_poly_pow_ui_trunc_binexp(result.raw(), base.raw(), static_cast<ulong>(*whole), length_, bits_);
      return result;
    }
    const Ball power(*literal, bits_);
    arb_poly_pow_arb_series(result.raw(), base.raw(), power.raw(), length_, bits_);
    return result;
  }
  if (arb_poly_length(exponent.raw()) <= 1) {
    const Ball power = exponent.coefficient(0);
    arb_poly_pow_arb_series(result.raw(), base.raw(), power.raw(), length_, bits_);
    return result;
  }
  arb_poly_pow_series(result.raw(), base.raw(), exponent.raw(), length_, bits_);
  return result;
}

PowerSeries SeriesOperations::call(Function function, const std::vector<PowerSeries>& arguments) const {
  check_time();
  PowerSeries result;
  const PowerSeries& x = arguments.front();
  switch (function) {
    case Function::exp:
      arb_poly_exp_series(result.raw(), x.raw(), length_, bits_);
      return result;
    case Function::log:
      arb_poly_log_series(result.raw(), x.raw(), length_, bits_);
      return result;
    case Function::sin:
      arb_poly_sin_series(result.raw(), x.raw(), length_, bits_);
      return result;
    case Function::cos:
      arb_poly_cos_series(result.raw(), x.raw(), length_, bits_);
      return result;
    case Function::atan:
      arb_poly_atan_series(result.raw(), x.raw(), length_, bits_);
      return result;
    case Function::erfc:
      arb_hypgeom_erfc_series(result.raw(), x.raw(), length_, bits_);
      return result;
    case Function::lgamma:
      if (!x.coefficient(0).surely_positive()) break;
      arb_poly_lgamma_series(result.raw(), x.raw(), length_, bits_);
      return result;
    case Function::polygamma:
      return polygamma(arguments.front(), arguments.back());
    case Function::abs:
    case Function::floor:
    case Function::min:
    case Function::max:
      break;
  }
  return unknown(length_);
}

// Of polygamma(m, c + t), m derivatives of that of digamma; then t = x - c.
PowerSeries SeriesOperations::polygamma(const PowerSeries& order, const PowerSeries& x) const {
  const auto m = integer(order);
  const Ball center = x.coefficient(0);
  if (!m || !center.surely_positive()) return unknown(length_);
  PowerSeries result;
  PowerSeries about;
  about.set(0, center);
  about.set(1, Ball(1));
  arb_poly_digamma_series(result.raw(), about.raw(), length_ + *m, bits_);
  for (std::int64_t k = 0; k < *m; ++k) arb_poly_derivative(result.raw(), result.raw(), bits_);
  PowerSeries step = x;
  step.set(0, Ball(0));
  arb_poly_compose_series(result.raw(), result.raw(), step.raw(), length_, bits_);
  return result;
}

std::optional<bool> SeriesOperations::compare(theory::Relation, const PowerSeries&,
                                              const PowerSeries&) const {
  return std::nullopt;
}
PowerSeries SeriesOperations::either(const PowerSeries&, const PowerSeries&) const {
  return unknown(length_);
}

std::optional<std::int64_t> SeriesOperations::integer(const PowerSeries& value) const {
  if (arb_poly_length(value.raw()) > 1) return std::nullopt;
  const auto ends = value.coefficient(0).is_exact() ? value.coefficient(0).ends() : std::nullopt;
  return ends ? ends->low.to_int64() : std::nullopt;
}

PowerSeries SeriesOperations::cut_entropy(const PowerSeries&) const { return unknown(length_); }

PowerSeries taylor(const theory::Expr& expression, const Ball& center, long length, long bits,
                   const theory::Context* clock) {
  SeriesEvaluator evaluator{SeriesOperations(length, bits, clock)};
  PowerSeries n;
  n.set(0, center);
  n.set(1, Ball(1));
  evaluator.bind(theory::kIndex, n);
  try {
    return evaluator(expression);
  } catch (const theory::EvaluationError&) {
    return unknown(length);
  }
}

}  // namespace gpe::checks
