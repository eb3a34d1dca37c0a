#include "theory/expression/derivative.h"

#include "theory/expression/expr_print.h"
#include "theory/expression/undecided.h"

namespace gpe::theory {

using namespace node;

Expr derivative(const Expr& e, std::string_view symbol) {
  if (!e.mentions(symbol)) return Expr(0);
  if (e.as<Symbol>() != nullptr) return Expr(1);
  if (const auto* sum = e.as<Add>()) {
    std::vector<Expr> terms;
    for (const Expr& term : sum->terms) terms.push_back(derivative(term, symbol));
    return add(terms);
  }
  if (const auto* product = e.as<Mul>()) {
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < product->factors.size(); ++i) {
      if (!product->factors[i].mentions(symbol)) continue;
      std::vector<Expr> factors = product->factors;
      factors[i] = derivative(factors[i], symbol);
      terms.push_back(mul(factors));
    }
    return add(terms);
  }
  if (const auto* power = e.as<Pow>()) {
    if (!power->exponent.mentions(symbol)) {
      return power->exponent * pow(power->base, power->exponent - Expr(1)) * derivative(power->base, symbol);
    }
    return e * derivative(power->exponent * log(power->base), symbol);
  }
  if (const auto* called = e.as<Call>()) {
    const Expr& x = called->arguments.back();
    switch (called->function) {
      case Function::exp:
        return e * derivative(x, symbol);
      case Function::log:
        return derivative(x, symbol) / x;
      case Function::sin:
        return call(Function::cos, {x}) * derivative(x, symbol);
      case Function::cos:
        return -call(Function::sin, {x}) * derivative(x, symbol);
      case Function::atan:
        return derivative(x, symbol) / (Expr(1) + pow(x, Expr(2)));
      case Function::erfc:
        return Expr(-2) * pow(Expr::pi(), Expr(Rational(-1, 2))) * exp(-pow(x, Expr(2))) *
               derivative(x, symbol);
      case Function::lgamma:
        return call(Function::polygamma, {Expr(0), x}) * derivative(x, symbol);
      case Function::polygamma:
        return call(Function::polygamma, {called->arguments.front() + Expr(1), x}) * derivative(x, symbol);
      default:
        break;
    }
  }
  throw Undecided("no derivative of " + to_text(e));
}

}  // namespace gpe::theory
