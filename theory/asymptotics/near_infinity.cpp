#include "theory/asymptotics/near_infinity.h"

#include <optional>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/decision.h"
#include "theory/exact/form_expr.h"

namespace gpe::theory {

using namespace node;

namespace {

std::optional<int> settled_sign(const Expr& e, const Context& context) {
  const auto sign = [&] {
    return eventual_sign(simplify(e, context), context);
  };  // equal oscillations cancel
  return attempt(sign).if_known();
}

// floor(x) where x stays within one unit.
std::optional<Expr> settled_floor(const Expr& whole, const Context& context) {
  if (residue_modulus(whole, context) != 1) return std::nullopt;
  const auto constant = [&]() -> std::optional<Expr> {
    Multiseries series(context);
    const AsymptoticEnclosure enclosure = EnclosureExpander(series).expand(whole);
    if (!enclosure.exact() || enclosure.low->head != nullptr) return std::nullopt;
    return to_expr(enclosure.low->constant);
  };
  return attempt(constant).value_or(std::nullopt);
}

std::optional<Expr> settled_extreme(const Call& call, const Context& context) {
  Expr best = call.arguments.front();
  for (std::size_t i = 1; i < call.arguments.size(); ++i) {
    const auto order = settled_sign(call.arguments[i] - best, context);
    if (!order) return std::nullopt;
    if (call.function == Function::min ? *order < 0 : *order > 0) best = call.arguments[i];
  }
  return best;
}

}  // namespace

Expr near_infinity(const Expr& expression, const Context& context) {
  return rewrite(expression, [&](const Expr& e) {
    if (!e.mentions(kIndex)) return e;
    if (const auto* branch = e.as<If>()) {
      const auto sign = settled_sign(branch->left - branch->right, context);
      if (!sign) return e;
      return satisfies(branch->relation, *sign) ? branch->then : branch->otherwise;
    }
    const auto* call = e.as<Call>();
    if (call == nullptr) return e;
    switch (call->function) {
      case Function::abs: {
        const auto sign = settled_sign(call->arguments.front(), context);
        if (!sign) return e;
        return *sign < 0 ? -call->arguments.front() : call->arguments.front();
      }
      case Function::floor:
        return settled_floor(e, context).value_or(e);
      case Function::min:
      case Function::max:
        return settled_extreme(*call, context).value_or(e);
      default:
        return e;
    }
  });
}

}  // namespace gpe::theory
