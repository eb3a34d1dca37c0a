#include "theory/exact/special_functions.h"

#include "theory/exact/attempt.h"
#include "theory/exact/form_text.h"

namespace gpe::theory {

Rational signed_factorial(std::int64_t m) {
  Rational result(1);
  for (std::int64_t i = 1; i <= m; ++i) result *= Rational(-i);
  return result;
}

// By Σ_{j<=k} binomial(k + 1, j) B_j = 0.
Rational bernoulli(int k) {
  std::vector<Rational> values;
  for (int m = 0; m <= k; ++m) {
    Rational sum(m == 0 ? -1 : 0);
    Rational binomial(1);
    for (int j = 0; j < m; ++j) {
      sum += binomial * values[static_cast<std::size_t>(j)];
      binomial *= Rational(m + 1 - j, j + 1);
    }
    values.push_back(-sum / Rational(m + 1));
  }
  return values.back();
}

namespace {

constexpr int kLargestDenominator = 60;  // of multiples of pi that atan is compared with
constexpr int kMaxShift = 200;           // steps of a recurrence that are written out
constexpr int kMatchBits = 128;

Form kept(Function function, const std::vector<Form>& arguments) {
  std::vector<Expr> expressions;
  for (const Form& argument : arguments) expressions.push_back(to_expr(argument));
  return Form::power(Kernel::of_opaque(call(function, std::move(expressions))));
}

Form pi_times(const Rational& q) { return Form(q) * Form::power(Kernel::pi()); }

// q with x = tan(q pi), |q| < 1/2: then atan(x) = q pi.
std::optional<Rational> turn_of_tangent(const Form& x, const Context& context) {
  const auto near = context.enclose(kept(Function::atan, {x}) * Form::power(Kernel::pi(), -1), kMatchBits);
  if (!near) return std::nullopt;
  for (int denominator = 1; denominator <= kLargestDenominator; ++denominator) {
    const Rational q = (near->high * Rational(denominator)).floor() * Rational(1, denominator);
    if (q < near->low || q.abs() >= Rational(1, 2)) continue;
    const auto equal =
        attempt_in_time([&] { return context.is_zero(x * cos(pi_times(q)) - sin(pi_times(q))); });
    return equal && *equal ? std::optional(q) : std::nullopt;
  }
  return std::nullopt;
}

Form arctangent(const Form& x, const Context& context) {
  if (x.is_zero()) return {};
  if (!varies(x) && !x.has_symbols()) {
    if (const auto q = turn_of_tangent(x, context)) return pi_times(*q);
  }
  return leads_negative(x) ? -kept(Function::atan, {-x}) : kept(Function::atan, {x});
}

Form complementary_error(const Form& x) {
  if (x.is_zero()) return Form(1);
  return leads_negative(x) ? Form(2) - kept(Function::erfc, {-x}) : kept(Function::erfc, {x});
}

// x = rest + steps with rest in (0, 1] and a whole number of steps, not too many.
struct Shift {
  Rational rest;
  int steps;
};
std::optional<Shift> shift_of(const Rational& x) {
  const Rational steps = Rational(-1) - (-x).floor();  // ceil(x) - 1
  if (steps > Rational(kMaxShift)) return std::nullopt;
  return Shift{x - steps, static_cast<int>(*steps.to_int64())};
}

// Gamma(x + 1) = x Gamma(x)
Form log_gamma(const Form& x, const Context& context) {
  const auto shift = x.rational() == nullptr ? std::nullopt : shift_of(*x.rational());
  if (!shift) return kept(Function::lgamma, {x});
  Rational product(1);
  for (int i = 0; i < shift->steps; ++i) product *= shift->rest + Rational(i);
  const Form risen = context.log(Form(product));
  if (shift->rest.is_one()) return risen;
  if (shift->rest == Rational(1, 2))
    return risen + Form(Rational(1, 2)) * context.log(Form::power(Kernel::pi()));
  return risen + kept(Function::lgamma, {Form(shift->rest)});
}

// At 1, |B_(m+1)| (2 pi)^(m+1)/(2 (m + 1)) for odd m; at 1/2, polygamma(m, 1/2) = (2^(m+1) - 1) polygamma(m,
// 1) and digamma(1/2) = digamma(1) - 2 log 2 (DLMF 5.15.2, 5.15.3, 5.4.13, 25.6.2).
Form polygamma_in_unit(std::int64_t m, const Rational& x, const Context& context) {
  if (x == Rational(1, 2)) {
    const Form at_one = polygamma_in_unit(m, Rational(1), context);
    return m == 0 ? at_one - Form(2) * context.log(Form(2))
                  : Form(Rational(2).pow(m + 1) - Rational(1)) * at_one;
  }
  if (!x.is_one() || m % 2 == 0) return kept(Function::polygamma, {Form(Rational(m)), Form(x)});
  const Rational factor = bernoulli(static_cast<int>(m + 1)).abs() * Rational(2).pow(m) / Rational(m + 1);
  return Form(factor) * Form::power(Kernel::pi(), Rational(m + 1));
}

Form polygamma(const Form& order, const Form& x, const Context& context) {
  const auto shift = x.rational() == nullptr ? std::nullopt : shift_of(*x.rational());
  if (!shift) return kept(Function::polygamma, {order, x});
  const std::int64_t m = order.rational()->to_int64().value();
  Rational sum;
  for (int i = 0; i < shift->steps; ++i) sum += (shift->rest + Rational(i)).pow(-(m + 1));
  return Form(signed_factorial(m) * sum) + polygamma_in_unit(m, shift->rest, context);
}

}  // namespace

Form special(Function function, const std::vector<Form>& arguments, const Context& context) {
  const Form& x = arguments.back();
  if (function == Function::atan) return arctangent(x, context);
  if (function == Function::erfc) return complementary_error(x);
  const auto sign = x.has_symbols() ? std::nullopt : context.known_sign(x);
  if (x.is_zero() || (sign && *sign <= 0))
    throw Undefined(std::string(name_of(function)) + " of " + to_text(x) + ", which is not positive");
  return function == Function::lgamma ? log_gamma(x, context) : polygamma(arguments.front(), x, context);
}

}  // namespace gpe::theory
