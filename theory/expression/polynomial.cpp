#include "theory/expression/polynomial.h"

#include <algorithm>

namespace gpe::theory {

bool is_polynomial(const Expr& e) {
  if (e.number() != nullptr || e.as<node::Symbol>() != nullptr) return true;
  if (const auto* power = e.as<node::Pow>()) {
    const Rational* exponent = power->exponent.number();
    return exponent != nullptr && exponent->is_integer() && exponent->sign() > 0 &&
           is_polynomial(power->base);
  }
  return (e.as<node::Add>() != nullptr || e.as<node::Mul>() != nullptr) &&
         std::ranges::all_of(children(e), is_polynomial);
}

}  // namespace gpe::theory
