#include "theory/asymptotics/shifts_reduced.h"

#include <algorithm>

#include "theory/exact/form_expr.h"
#include "theory/exact/special_functions.h"

namespace gpe::theory {

namespace {

constexpr std::int64_t kMaxShift = 200;  // steps of a recurrence that are written out

// x as u + k with k whole, where u > 0 near infinity.
std::optional<std::pair<Form, std::int64_t>> positive_shift(const Form& x, const Context& context) {
  Rational constant;
  for (const Term& term : x.terms()) {
    if (term.powers.empty()) constant = term.coefficient;
  }
  const auto whole = constant.floor().to_int64();
  if (!whole || std::abs(*whole) > kMaxShift) return std::nullopt;
  const Form varying = x - Form(constant);
  if (!varies(varying) || context.known_sign(varying) != 1) return std::nullopt;
  return std::pair(x - Form(Rational(*whole)), *whole);
}

Expr reduced(const node::Call& call, const Context& context) {
  const Expr& argument = call.arguments.back();
  const Form x = to_form(argument, context);
  if (call.function == Function::atan) {  // atan(x) = pi/2 - atan(1/x) for x > 0
    if (context.known_sign(x) != 1) return Expr::raw(call);
    const Form inverse = context.pow(x, Rational(-1));
    if (compare(x, inverse) <= 0) return Expr::raw(call);
    return Expr::pi() / Expr(2) - theory::call(Function::atan, {to_expr(inverse)});
  }
  const auto shift = positive_shift(x, context);
  if (!shift) return Expr::raw(call);
  const Expr u = to_expr(shift->first);
  std::vector<Expr> arguments = call.arguments;
  arguments.back() = u;
  Expr result = Expr::raw(node::Call{call.function, arguments});
  const std::int64_t steps = shift->second;
  for (std::int64_t i = std::min<std::int64_t>(steps, 0); i < std::max<std::int64_t>(steps, 0); ++i) {
    const Expr at = u + Expr(i);
    Expr step = theory::log(at);
    if (call.function == Function::polygamma) {
      const std::int64_t m = arguments.front().number()->to_int64().value();
      step = Expr(signed_factorial(m)) * pow(at, Expr(Rational(-(m + 1))));
    }
    result = steps > 0 ? result + step : result - step;
  }
  return result;
}

}  // namespace

Expr with_shifts_reduced(const Expr& expression, const Context& context) {
  return rewrite(expression, [&](const Expr& e) {
    const auto* call = e.as<node::Call>();
    const bool wanted = call != nullptr && is_special(call->function) && call->function != Function::erfc &&
                        e.mentions(kIndex);
    return wanted ? reduced(*call, context) : e;
  });
}

}  // namespace gpe::theory
