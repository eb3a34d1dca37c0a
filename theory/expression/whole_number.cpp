#include "theory/expression/whole_number.h"

#include <algorithm>

namespace gpe::theory {

using namespace node;

bool is_whole(const Expr& e, const std::set<std::string>& variables) {
  const auto all = [&](const std::vector<Expr>& parts) {
    return std::ranges::all_of(parts, [&](const Expr& part) { return is_whole(part, variables); });
  };
  if (const Rational* number = e.number()) return number->is_integer();
  if (const auto* symbol = e.as<Symbol>()) return symbol->name == "n" || variables.contains(symbol->name);
  if (const auto* sum = e.as<Add>()) return all(sum->terms);
  if (const auto* product = e.as<Mul>()) return all(product->factors);
  if (const auto* power = e.as<Pow>()) {
    const Rational* times = power->exponent.number();
    return times != nullptr && times->is_integer() && times->sign() > 0 && is_whole(power->base, variables);
  }
  const auto* called = e.as<Call>();
  if (called == nullptr) return false;
  const bool kept = called->function == Function::abs || called->function == Function::min ||
                    called->function == Function::max;
  return called->function == Function::floor || (kept && all(called->arguments));
}

}  // namespace gpe::theory
