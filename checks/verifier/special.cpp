// Special functions of x, between bounds that hold for all x > 0: their expansions at infinity envelop them
// (DLMF 4.24.3, 5.11(ii), 5.15, 7.12(i)). Tests: tests/certificates/forgeries.py
#include "checks/verifier/evaluate.h"

namespace gpe::verifier {

bool is_function(const std::string& name) {
  return among(
      "tan sinh cosh tanh sigmoid softplus ceil sign atan asin acos erf erfc lgamma gamma factorial "
      "digamma polygamma",
      name);
}

Form Evaluator::over(const Form& a, const Form& b) { return calculus.trimmed(a * calculus.power(b, -1)); }

// y - y^3/3 <= atan(y) <= y for y > 0; atan(x) = pi/2 - atan(1/x) for x > 0
Form Evaluator::arctangent(const Form& x) {
  const Form quarter(atom_pi() * Q(1, 2));
  if (x.zero()) return {};
  if (calculus.positive(-x)) return -arctangent(-x);
  if (!calculus.nonnegative(x)) return Calculus::between(-quarter, quarter);
  const auto small = [this](const Form& y) {
    return Calculus::between(y, y - calculus.power(y, 3) * Q(1, 3));
  };
  if (calculus.nonnegative(Form(1) - x)) return small(x);
  return calculus.positive(x) ? quarter - small(calculus.power(x, -1)) : Calculus::between(0, quarter);
}

// e^(-x^2)/(x sqrt(pi)) (1 - part/(2x^2)) for x > 0
Form Evaluator::complementary_error(const Form& x) {
  if (x.zero()) return {1};
  if (calculus.positive(-x)) return Form(2) - complementary_error(-x);
  if (!calculus.nonnegative(x - 1)) return Calculus::between(0, calculus.nonnegative(x) ? 1 : 2);
  const Form square = calculus.power(x, 2);
  const Form most = over(calculus.exp(-square), x * calculus.power(Form(atom_pi()), Q(1, 2)));
  return Calculus::between(most, calculus.trimmed(most - over(most, square * 2)));
}

// (x - 1/2) log x - x + log(2 pi)/2 + part/(12x) for x > 0
Form Evaluator::log_gamma(const Form& x) {
  if (!calculus.positive(x)) throw NotFollowed("lgamma of what may not be positive");
  const Form least = (x - Q(1, 2)) * calculus.log(x) - x + calculus.log(Form(2 * atom_pi())) * Q(1, 2);
  return Calculus::between(least, least + over(Q(1, 12), x));
}

// of order 0: log x - 1/(2x) - part/(12x^2); m: (-1)^(m+1) ((m-1)!/x^m + m!/(2x^(m+1)) + part
// (m+1)!/(12x^(m+2)))
Form Evaluator::polygamma(const Form& order, const Form& x) {
  const Q m = order.constant() && order.value().constant() ? order.value().value() : Q(-1);
  if (m < 0 || m > 100 || m.get_den() != 1) expect("a whole order before");
  if (!calculus.positive(x)) throw NotFollowed("polygamma of what may not be positive");
  Q factorial = 1;
  for (Q k = 2; k <= m; ++k) factorial *= k;
  const Form first = m == 0 ? -calculus.log(x) : over(Q(factorial / m), calculus.power(x, m));
  const Form least = first + over(Q(factorial / 2), calculus.power(x, m + 1));
  const Form all =
      Calculus::between(least, least + over(Q(factorial * (m + 1) / 12), calculus.power(x, m + 2)));
  return m.get_num() % 2 == 0 ? -all : all;
}

// Functions that encoding files write for others.
Form Evaluator::written_out(const std::string& name, const Form& x) {
  const auto arcsine = [&] {
    return arctangent(over(x, calculus.power(Form(1) - calculus.power(x, 2), Q(1, 2)) + 1)) * 2;
  };
  if (name == "atan") return arctangent(x);
  if (name == "asin") return arcsine();
  if (name == "acos") return Form(atom_pi() * Q(1, 2)) - arcsine();
  if (name == "erfc") return complementary_error(x);
  if (name == "erf") return Form(1) - complementary_error(x);
  if (name == "lgamma") return log_gamma(x);
  if (name == "gamma") return calculus.exp(log_gamma(x));
  if (name == "factorial") return calculus.exp(log_gamma(x + 1));
  if (name == "digamma") return polygamma(0, x);
  if (name == "tan") return over(wave(x, true), wave(x, false));
  if (name == "sinh") return over(calculus.exp(x) - calculus.exp(-x), 2);
  if (name == "cosh") return over(calculus.exp(x) + calculus.exp(-x), 2);
  if (name == "tanh") return Form(1) - over(2, calculus.exp(x * 2) + 1);
  if (name == "sigmoid") return over(1, calculus.exp(-x) + 1);
  if (name == "softplus") return calculus.log(calculus.exp(x) + 1);
  if (name == "ceil") return natural_part(x) - calculus.floor(natural_part(x) - x);
  if (calculus.follows(x, ">")) return Form(1);
  if (calculus.follows(x, "<")) return Form(-1);
  return calculus.follows(x, "=") ? Form() : Calculus::between(-1, 1);
}

}  // namespace gpe::verifier
