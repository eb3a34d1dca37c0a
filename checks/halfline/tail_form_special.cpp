// Special functions of asymptotic interval forms: bounds F6 (docs/certificates.md) with more terms, each
// remainder at most the first term left out. Tests: tests/checks/halfline/tail_form_test.cpp
#include "checks/halfline/tail_form.h"
#include "theory/exact/special_functions.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

using theory::Form;
using theory::Rational;

namespace {

constexpr int kKept = 3;  // terms of an expansion, before its remainder

class Special {
 public:
  explicit Special(const TailForm& x) : x_(x), one_(x.domain().one()) {}

  // Σ (-1)^k y^(2k+1)/(2k + 1) envelops atan y for all y. At infinity atan x = ±π/2 - atan(1/x); at a limit
  // c atan x = atan c + atan((x - c)/(1 + c x)), where 1 + c x > 0.
  TailForm atan() const {
    if (x_.terms().empty() && (x_.is_exact() || !(x_.rest().front().first < one_))) return bounded(0, 2);
    const TailMonomial top = x_.terms().empty() ? x_.rest().front().first : x_.terms().front().first;
    if (top < one_) return small_atan(x_);
    if (top == one_) {
      const Form& limit = x_.terms().front().second;
      const TailForm over = constant(1) + constant(limit) * x_;
      if (!over.surely_positive()) return bounded(0, 2);
      return constant(theory::special(theory::Function::atan, {limit}, x_.domain().context())) +
             small_atan((x_ - constant(limit)) * over.pow(Rational(-1)));
    }
    const bool positive = x_.surely_positive();
    if (!positive && !x_.surely_negative()) return bounded(0, 2);
    const Form quarter = Form(Rational(positive ? 1 : -1, 2)) * Form::power(theory::Kernel::pi());
    return constant(quarter) - small_atan(x_.pow(Rational(-1)));
  }

  // e^(-x²)/(x √π)·(1 - θ/(2x²)) for x > 0
  TailForm erfc() const {
    if (x_.terms().empty() || !(one_ < x_.terms().front().first)) return bounded(1, 1);
    if (x_.surely_negative()) return constant(2) - Special(constant(-1) * x_).erfc();
    if (!x_.surely_positive()) return bounded(1, 1);
    const TailForm inverse = x_.pow(Rational(-1));
    const TailForm leading = (constant(-1) * x_ * x_).exp() * inverse *
                             constant(Form::power(theory::Kernel::pi(), Rational(-1, 2)));
    return leading + leading * inverse * inverse * bounded(0, Rational(1, 2));
  }

  // (x - 1/2) log x - x + log(2π)/2 + Σ B_2k/(2k(2k - 1) x^(2k - 1)) for x > 0
  TailForm lgamma() const {
    require_positive();
    const Form twice = Form(2) * Form::power(theory::Kernel::pi());
    const Form offset = Form(Rational(1, 2)) * x_.domain().context().log(twice);
    return (x_ - constant(Rational(1, 2))) * x_.log() - x_ + constant(offset) +
           enveloped(1, [](int k) { return theory::bernoulli(2 * k) / Rational(2 * k * (2 * k - 1)); });
  }

  // (-1)^(m+1) ((m - 1)!/x^m + m!/(2x^(m+1)) + Σ B_2k (2k + m - 1)!/(2k)! x^(-m-2k)) for x > 0; with -log x
  // in place of the first term for m = 0
  TailForm polygamma(int m) const {
    require_positive();
    const Rational of_m = theory::signed_factorial(m).abs();
    const TailForm first = m == 0 ? constant(-1) * x_.log() : constant(of_m / Rational(m)) * x_.pow(-m);
    const TailForm sum = first + constant(of_m / Rational(2)) * x_.pow(-m - 1) + enveloped(-m, [m](int k) {
                           return theory::bernoulli(2 * k) * theory::signed_factorial(2 * k + m - 1).abs() /
                                  theory::signed_factorial(2 * k).abs();
                         });
    return constant(m % 2 == 0 ? -1 : 1) * sum;
  }

 private:
  TailForm constant(const Form& value) const { return TailForm::constant(x_.domain(), value); }
  TailForm bounded(const Form& middle, const Rational& size) const {
    return constant(middle) + TailForm::unknown(x_.domain(), one_, Ball(size, x_.domain().bits()));
  }
  void require_positive() const {
    if (!x_.surely_positive() || !(one_ < x_.terms().front().first))
      throw NotProved("lgamma and polygamma have a form only of what grows to infinity");
  }

  static TailForm small_atan(const TailForm& y) {
    const Special of(y);
    const TailForm square = y * y;
    TailForm power = y, result = of.constant(0);
    for (int k = 0; k < kKept; ++k, power = power * square)
      result = result + of.constant(Rational(k % 2 == 0 ? 1 : -1, 2 * k + 1)) * power;
    return result + of.bounded(0, Rational(1, 2 * kKept + 1)) * power;
  }

  // Σ_{k>=1} c_k x^(e - 2k), which envelops
  template <class Coefficient>
  TailForm enveloped(int e, const Coefficient& coefficient) const {
    TailForm result = constant(0);
    for (int k = 1; k <= kKept; ++k) result = result + constant(coefficient(k)) * x_.pow(Rational(e - 2 * k));
    const int next = kKept + 1;
    return result + bounded(0, coefficient(next).abs()) * x_.pow(Rational(e - 2 * next));
  }

  const TailForm& x_;
  TailMonomial one_;
};

}  // namespace

TailForm special_form(theory::Function function, const Rational* order, const TailForm& x) {
  switch (function) {
    case theory::Function::atan:
      return Special(x).atan();
    case theory::Function::erfc:
      return Special(x).erfc();
    case theory::Function::lgamma:
      return Special(x).lgamma();
    default:
      break;
  }
  const auto m = order != nullptr ? order->to_int64() : std::nullopt;
  if (!m || *m < 0 || *m > 100) throw NotProved("polygamma of an order that is not a small whole number");
  return Special(x).polygamma(static_cast<int>(*m));
}

}  // namespace gpe::checks
