// Special functions of series: atan, erfc, lgamma, polygamma.
//
// With f = m + s, where s has negative powers of the head and m smaller generators only, they are expanded
// about m; what grows with its head has the classical expansion at infinity, in 1/f. That of erfc, lgamma and
// polygamma diverges: it is asymptotic, each partial sum up to the order of the first term that it leaves out
// (DLMF 7.12.1, 5.11.1, 5.15.8, with 5.11.2). All are definable in one o-minimal structure with exp (van den
// Dries, Speissegger, "The field of reals with multisummable series and the exponential function", 2000), so
// what is made of them has a sign near infinity. Tests: tests/theory/asymptotics/special_limits_test.cpp
#include "theory/asymptotics/multiseries.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/special_functions.h"
#include "theory/expression/expr_print.h"

namespace gpe::theory {

namespace {

Form factorial(int k) {
  Rational result(1);
  for (int i = 2; i <= k; ++i) result *= Rational(i);
  return Form(result);
}

Form inverse_factorial(int k) { return Form(factorial(k).rational()->inverse()); }

Expr half() { return Expr(Rational(1, 2)); }
Expr special_call(Function function, const Expr& x) { return call(function, {x}); }
Expr polygamma_call(int order, const Expr& x) { return call(Function::polygamma, {Expr(order), x}); }

}  // namespace

// atan(m + s) = atan(m) + atan(s/(1 + m(m + s))), as m(m + s) > -1; atan(f) = ±π/2 - atan(1/f) for f -> ±∞.
SeriesPtr Multiseries::atan(const SeriesPtr& f) {
  if (is_constant(f)) return constant(special(Function::atan, {f->constant}, context_));
  const auto small = [this](const SeriesPtr& x) {
    const auto taylor = [](int k) {
      if (k % 2 == 0) return std::optional<Form>(0);
      return std::optional<Form>(Rational(k % 4 == 1 ? 1 : -1, k));
    };
    return make(special_call(Function::atan, x->expression), x->head, compose(x->terms, taylor, 0));
  };
  const Parts split = parts(f);
  if (!split.large.empty()) {
    const Form quarter = Form(Rational(sign(f), 2)) * Form::power(Kernel::pi());
    return subtract(constant(quarter), small(power(f, Form(-1))));
  }
  if (!force(split.small)) return atan(split.middle);
  const SeriesPtr rest = make(f->expression - split.middle->expression, f->head, split.small);
  if (is_exact_zero(split.middle)) return small(rest);
  const SeriesPtr over = add(constant(1), multiply(split.middle, f));
  return add(atan(split.middle), small(multiply(rest, power(over, Form(-1)))));
}

// exp(-f²)/(f √π) Σ (-1)^k (2k - 1)!!/(2 f²)^k for f -> ∞
SeriesPtr Multiseries::erfc_at_infinity(const SeriesPtr& f) {
  const SeriesPtr square = multiply(f, f);
  const SeriesPtr y = power(square, Form(-1));
  const auto coefficient = [](int k) {
    Rational product(1);
    for (int i = 1; i <= k; ++i) product *= Rational(1 - 2 * i, 2);
    return std::optional<Form>(Form(product));
  };
  const SeriesPtr outer =
      multiply(exp(scaled(square, Form(-1))),
               multiply(power(f, Form(-1)), constant(Form::power(Kernel::pi(), Rational(-1, 2)))));
  const Expr ratio = special_call(Function::erfc, f->expression) / outer->expression;
  return multiply(outer, make(ratio, y->head, compose(y->terms, coefficient, 0)));
}

// erfc(m + s) = erfc(m) - 2/√π e^(-m²) Σ_{k>=1} (-1)^(k-1) H_{k-1}(m) s^k/k!
SeriesPtr Multiseries::erfc(const SeriesPtr& f) {
  if (is_constant(f)) return constant(special(Function::erfc, {f->constant}, context_));
  const Parts split = parts(f);
  if (!split.large.empty()) {
    if (sign(f) > 0) return erfc_at_infinity(f);
    return subtract(constant(2), erfc_at_infinity(scaled(f, Form(-1))));
  }
  const SeriesPtr middle = split.middle;
  if (!force(split.small)) return erfc(middle);
  auto hermite = std::make_shared<std::vector<SeriesPtr>>();
  const auto coefficient = [this, middle, hermite](int k) -> SeriesPtr {
    if (k == 0) return constant(0);
    while (static_cast<int>(hermite->size()) < k) {  // H_{j+1} = 2m H_j - 2j H_{j-1}
      const int j = static_cast<int>(hermite->size()) - 1;
      if (j < 0) {
        hermite->push_back(constant(1));
        continue;
      }
      SeriesPtr next = multiply(scaled(middle, Form(2)), hermite->back());
      if (j > 0) next = subtract(next, scaled((*hermite)[static_cast<std::size_t>(j - 1)], Form(2 * j)));
      hermite->push_back(next);
    }
    return scaled((*hermite)[static_cast<std::size_t>(k - 1)],
                  inverse_factorial(k) * Form(k % 2 == 1 ? 1 : -1));
  };
  const SeriesPtr outer = scaled(exp(scaled(multiply(middle, middle), Form(-1))),
                                 Form(-2) * Form::power(Kernel::pi(), Rational(-1, 2)));
  const Expr change =
      special_call(Function::erfc, f->expression) - special_call(Function::erfc, middle->expression);
  return add(erfc(middle), multiply(outer, make(change / outer->expression, f->head,
                                                compose_series(split.small, coefficient, 0))));
}

void Multiseries::require_positive(const SeriesPtr& f, std::string_view function) {
  if (sign(f) <= 0)
    throw Undefined(std::string(function) + " of " + to_text(f->expression) +
                    ", which is not positive near infinity");
}

// (f - 1/2) log f - f + log(2π)/2 + Σ B_{2k}/(2k (2k - 1) f^(2k-1)) for f -> ∞
SeriesPtr Multiseries::lgamma_at_infinity(const SeriesPtr& f) {
  const SeriesPtr y = power(f, Form(-1));
  const auto coefficient = [](int k) {
    return std::optional<Form>(k % 2 == 0 ? Form(0) : Form(bernoulli(k + 1) / Rational(k * (k + 1))));
  };
  const Form offset = Form(Rational(1, 2)) * context_.log(Form(2) * Form::power(Kernel::pi()));
  const SeriesPtr first = multiply(add(f, constant(Form(Rational(-1, 2)))), log(f));
  const SeriesPtr outer = add(subtract(first, f), constant(offset));
  const Expr rest = special_call(Function::lgamma, f->expression) -
                    (f->expression - half()) * theory::log(f->expression) + f->expression - to_expr(offset);
  return add(outer, make(rest, y->head, compose(y->terms, coefficient, 0)));
}

// lgamma(m + s) = lgamma(m) + Σ_{k>=1} polygamma(k - 1, m) s^k/k!; lgamma(f) = lgamma(1 + f) - log f for f ->
// 0.
SeriesPtr Multiseries::lgamma(const SeriesPtr& f) {
  require_positive(f, "lgamma");
  if (is_constant(f)) return constant(special(Function::lgamma, {f->constant}, context_));
  const Parts split = parts(f);
  if (!split.large.empty()) return lgamma_at_infinity(f);
  const SeriesPtr middle = split.middle;
  if (!force(split.small)) return lgamma(middle);
  if (is_zero(middle)) return subtract(lgamma(add(f, constant(1))), log(f));
  const auto coefficient = [this, middle](int k) -> SeriesPtr {
    return k == 0 ? constant(0) : scaled(polygamma(k - 1, middle), inverse_factorial(k));
  };
  const Expr change =
      special_call(Function::lgamma, f->expression) - special_call(Function::lgamma, middle->expression);
  return add(lgamma(middle), make(change, f->head, compose_series(split.small, coefficient, 0)));
}

// order 0: log f - 1/(2f) - Σ B_{2j}/(2j f^(2j)); m > 0: (-1)^(m+1) ((m-1)!/f^m + m!/(2 f^(m+1)) + Σ B_{2j}
// (2j+m-1)!/((2j)! f^(2j+m)))
SeriesPtr Multiseries::polygamma_at_infinity(int order, const SeriesPtr& f) {
  const SeriesPtr y = power(f, Form(-1));
  const auto coefficient = [order](int k) -> std::optional<Form> {
    const int j = k - order;  // of the term j of Σ B_j (j + m - 1)!/(j! f^(j+m)), with B_1 = 1/2
    if (k == 0 || j < 0) return Form(0);
    if (order == 0) return Form((j == 1 ? Rational(-1, 2) : -bernoulli(j) / Rational(j)));
    const Form number =
        Form(j == 1 ? Rational(1, 2) : bernoulli(j)) * factorial(k - 1) * inverse_factorial(j);
    return order % 2 == 1 ? number : -number;
  };
  Expr rest = polygamma_call(order, f->expression);
  if (order == 0) rest = rest - theory::log(f->expression);
  const SeriesPtr series = make(rest, y->head, compose(y->terms, coefficient, 0));
  return order == 0 ? add(log(f), series) : series;
}

// polygamma(m, c + s) = Σ polygamma(m + k, c) s^k/k!; polygamma(m, f) = polygamma(m, 1 + f) - (-1)^m
// m!/f^(m+1) for f -> 0.
SeriesPtr Multiseries::polygamma(int order, const SeriesPtr& f) {
  require_positive(f, "polygamma");
  if (is_constant(f)) return constant(special(Function::polygamma, {Form(order), f->constant}, context_));
  const Parts split = parts(f);
  if (!split.large.empty()) return polygamma_at_infinity(order, f);
  const SeriesPtr middle = split.middle;
  if (!force(split.small)) return polygamma(order, middle);
  if (is_zero(middle)) {
    const Form step = order % 2 == 0 ? factorial(order) : -factorial(order);
    return subtract(polygamma(order, add(f, constant(1))), scaled(power(f, Form(-(order + 1))), step));
  }
  const auto coefficient = [this, order, middle](int k) -> SeriesPtr {
    return scaled(polygamma(order + k, middle), inverse_factorial(k));
  };
  return make(polygamma_call(order, f->expression), f->head, compose_series(split.small, coefficient, 0));
}

}  // namespace gpe::theory
