#include "checks/coq/coq_constant.h"

#include <algorithm>

#include "checks/coq/coq_term.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/any_part.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using namespace theory::node;
using theory::Expr;
using theory::Function;
using theory::Rational;

namespace {

bool is_irrational(const Expr& e) {
  const auto* power = e.as<Pow>();
  const Rational* exponent = power == nullptr ? nullptr : power->exponent.number();
  const auto* call = e.as<Call>();
  using enum Function;
  const bool known = call == nullptr || call->function == abs || call->function == min ||
                     call->function == max || call->function == floor ||
                     (call->function == log && call->arguments.front().is_number(1));
  return !known || e.as<Pi>() != nullptr ||
         (power != nullptr && (exponent == nullptr || !exponent->is_integer()));
}

bool chooses(const Expr& e) { return e.as<If>() != nullptr; }

}  // namespace

void require_still(const Expr& angle) {
  if (angle.mentions(theory::kIndex) && !theory::any_part(angle, chooses))
    throw NotExported("an angle that is constant by algebra, which Coq's tactics do not see");
}

theory::Form coq_constant(const Expr& constant, const theory::Context& context) {
  theory::Form form = theory::to_form(constant, context);
  if (!theory::free_symbols(constant).empty() || !theory::any_part(constant, is_irrational)) return form;
  const bool rises =
      std::ranges::any_of(form.terms(), [](const theory::Term& term) { return term.coefficient.sign() > 0; });
  const bool falls =
      std::ranges::any_of(form.terms(), [](const theory::Term& term) { return term.coefficient.sign() < 0; });
  if ((rises && falls) || form.is_zero())
    throw NotExported("the sign of " + theory::to_text(constant) + ", which Coq's tactics do not find");
  return form;
}

}  // namespace gpe::checks
