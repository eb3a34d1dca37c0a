// Elementary functions of series: exp, log, powers, and waves of what is bounded.
// Tests: tests/theory/asymptotics/expansion_test.cpp, tests/theory/asymptotics/limits_test.cpp
#include <cassert>

#include "theory/asymptotics/multiseries.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::theory {

SeriesPtr Multiseries::exp(const SeriesPtr& f) {
  if (is_constant(f)) return constant(context_.exp(f->constant));
  const Parts split = parts(f);
  SeriesPtr result = constant(1);
  Expr remaining = f->expression;
  if (!split.large.empty()) {
    std::vector<Expr> sum;
    Stream terms = ended();
    for (auto it = split.large.rbegin(); it != split.large.rend(); ++it) {
      sum.push_back(it->coefficient->expression * theory::pow(f->head->expression, to_expr(it->exponent)));
      terms = cons(*it, terms);
    }
    const SeriesPtr large = make(theory::add(sum), f->head, terms);
    remaining = remaining - large->expression;
    result = exp_large(large);
  }
  if (!is_exact_zero(split.middle)) {
    remaining = remaining - split.middle->expression;
    result = multiply(result, exp(split.middle));
  }
  if (force(split.small)) {
    const auto inverse_factorial = [](int k) {
      Rational factorial(1);
      for (int i = 2; i <= k; ++i) factorial *= Rational(i);
      return std::optional<Form>(Form(factorial.inverse()));
    };
    result =
        multiply(result, make(theory::exp(remaining), f->head, compose(split.small, inverse_factorial, 0)));
  }
  return result;
}

// exp(p) for p → ±∞ whose every term grows.
SeriesPtr Multiseries::exp_large(const SeriesPtr& p) {
  const auto lead = leading(p);
  if (!lead) return constant(1);
  for (std::size_t i = 0; i < scale_.size(); ++i) {
    const Generator* generator = scale_[i].get();
    const bool last_of_chain = generator->log == nullptr && generator->chain >= 0 && i + 1 == scale_.size();
    if (last_of_chain) break;  // p, built from generators this large, outgrows its logarithm
    const SeriesPtr logarithm = log_of(generator);
    const auto other = leading(logarithm);
    assert(other);
    if (compare(lead->monomial, other->monomial) != 0) continue;
    // the same comparability class: exp(p) = b^c · exp(p - c·log b)
    const Form ratio = lead->coefficient * context_.pow(other->coefficient, Rational(-1));
    const SeriesPtr rest = subtract(p, scaled(logarithm, ratio));
    return multiply(generator_power(generator, ratio), exp(rest));
  }
  const int direction = context_.sign(lead->coefficient);
  const Generator* generator = generator_for(direction > 0 ? p : scaled(p, Form(-1)), lead->monomial);
  return generator_power(generator, Form(direction));
}

const Generator* Multiseries::generator_for(const SeriesPtr& logarithm, const Monomial& size) {
  std::size_t place = 0;
  while (place < scale_.size()) {
    const Generator* generator = scale_[place].get();
    if (generator->log == nullptr && place + 1 == scale_.size()) break;
    const auto other = leading(log_of(generator));
    if (compare(size, other->monomial) > 0) break;
    ++place;
  }
  const auto at = scale_.begin() + static_cast<std::ptrdiff_t>(place);
  const auto inserted = scale_.insert(
      at, std::make_unique<Generator>(Generator{theory::exp(logarithm->expression), logarithm, -1, 0}));
  const Generator* result = inserted->get();
  renumber();
  return result;
}

namespace {

// ε in base·(1 + ε): the rest of a trimmed series over its first term, as an expression.
Expr relative_rest(const Expr& whole, const Expr& first) { return whole / first; }

}  // namespace

SeriesPtr Multiseries::log(const SeriesPtr& f) {
  if (is_constant(f)) {
    if (context_.sign(f->constant) <= 0) throw Undefined("log of " + to_text(f->constant));
    return constant(context_.log(f->constant));
  }
  const auto first = trim(f);
  if (!first) throw Undefined("log of zero: " + to_text(f->expression));
  const SeriesPtr coefficient_log = log(first->coefficient);
  SeriesPtr result = coefficient_log;
  const Expr lead =
      first->coefficient->expression * theory::pow(f->head->expression, to_expr(first->exponent));
  if (!first->exponent.is_zero()) {
    result = add(scaled(log_of(f->head), first->exponent), result);
  }
  if (force(first->rest)) {
    const SeriesPtr inverse = power(first->coefficient, Form(-1));
    const Stream epsilon = scale(first->rest, inverse, -first->exponent);
    const auto alternating = [](int k) {
      if (k == 0) return std::optional<Form>(0);
      return std::optional<Form>(Rational(k % 2 == 1 ? 1 : -1, k));
    };
    result =
        add(make(theory::log(relative_rest(f->expression, lead)), f->head, compose(epsilon, alternating, 0)),
            result);
  }
  return result;
}

SeriesPtr Multiseries::power(const SeriesPtr& base, const Form& exponent) {
  if (exponent.is_zero()) return constant(1);
  if (exponent.is_rational(1)) return base;
  const Rational* rational = exponent.rational();
  if (is_constant(base)) {
    if (rational == nullptr || !rational->is_integer()) {
      if (context_.sign(base->constant) < 0) {
        throw Undefined("a negative number under a fractional power: " + to_text(base->constant));
      }
    }
    return constant(context_.pow(base->constant, exponent));
  }
  if (rational != nullptr && rational->is_integer() && rational->sign() > 0 && *rational <= Rational(4)) {
    SeriesPtr result = base;
    for (Rational k(1); k < *rational; k += Rational(1)) result = multiply(result, base);
    return result;
  }
  const auto first = trim(base);
  const Expr whole = theory::pow(base->expression, to_expr(exponent));
  if (!first) {
    if (context_.sign(exponent) > 0) return constant(0);
    throw Undefined("division by zero: " + to_text(base->expression));
  }
  const SeriesPtr outer =
      multiply(power(first->coefficient, exponent), generator_power(base->head, first->exponent * exponent));
  if (!force(first->rest)) return outer;
  const SeriesPtr inverse = power(first->coefficient, Form(-1));
  const Stream epsilon = scale(first->rest, inverse, -first->exponent);
  const auto binomial = [exponent](int k) -> std::optional<Form> {
    Form result(1);
    for (int i = 0; i < k; ++i) result = result * (exponent - Form(i)) * Form(Rational(1, i + 1));
    if (result.is_zero()) return std::nullopt;
    return result;
  };
  const Expr lead =
      first->coefficient->expression * theory::pow(base->head->expression, to_expr(first->exponent));
  const SeriesPtr tail = make(theory::pow(relative_rest(base->expression, lead), to_expr(exponent)),
                              base->head, compose(epsilon, binomial, 0));
  return multiply(outer, tail);
}

SeriesPtr Multiseries::power(const SeriesPtr& base, const SeriesPtr& exponent) {
  if (is_constant(exponent)) return power(base, exponent->constant);
  const int base_sign = sign(base);
  if (base_sign < 0)
    throw Undecided("a varying power of a negative quantity: " +
                    to_text(theory::pow(base->expression, exponent->expression)));
  if (base_sign == 0) {
    if (sign(exponent) > 0) return constant(0);
    throw Undefined("0 to the power " + to_text(exponent->expression));
  }
  return exp(multiply(exponent, log(base)));
}

SeriesPtr Multiseries::sin(const SeriesPtr& f) { return circular(f, true); }
SeriesPtr Multiseries::cos(const SeriesPtr& f) { return circular(f, false); }

// With f = c + ε:  sin f = sin c · cos ε + cos c · sin ε,  cos f = cos c · cos ε - sin c · sin ε.
SeriesPtr Multiseries::circular(const SeriesPtr& f, bool sine) {
  if (is_constant(f)) return constant(sine ? theory::sin(f->constant) : theory::cos(f->constant));
  const Parts split = parts(f);
  if (!split.large.empty()) throw Undecided("sin or cos of an unbounded function");
  const auto taylor = [](bool odd) {
    return [odd](int k) {
      if ((k % 2 == 1) != odd) return std::optional<Form>(Form(0));
      Rational factorial(1);
      for (int i = 2; i <= k; ++i) factorial *= Rational(i);
      return std::optional<Form>(Form(factorial.inverse() * Rational((k / 2) % 2 == 0 ? 1 : -1)));
    };
  };
  const Expr small = f->expression - split.middle->expression;
  const SeriesPtr sin_small =
      make(call(Function::sin, {small}), f->head, compose(split.small, taylor(true), 0));
  const SeriesPtr cos_small =
      make(call(Function::cos, {small}), f->head, compose(split.small, taylor(false), 0));
  const SeriesPtr sin_middle = circular(split.middle, true);
  const SeriesPtr cos_middle = circular(split.middle, false);
  if (sine) return add(multiply(sin_middle, cos_small), multiply(cos_middle, sin_small));
  return subtract(multiply(cos_middle, cos_small), multiply(sin_middle, sin_small));
}

}  // namespace gpe::theory
