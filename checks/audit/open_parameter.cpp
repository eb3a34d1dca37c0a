#include "checks/audit/open_parameter.h"

#include <algorithm>

#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

theory::Parameter open_parameter(const std::string& name, const std::vector<theory::Condition>& conditions) {
  theory::Parameter result{name, {{Expr(1)}}, {{"1"}}, {}, "", ""};
  for (const theory::Condition& condition : conditions) {
    if (free_symbols(condition.left - condition.right) != std::vector{name}) continue;
    result.domain.push_back(condition);
    result.domain_text += (result.domain_text.empty() ? "" : " and ") + to_text(condition.left) + " " +
                          std::string(symbol_of(condition.relation)) + " " + to_text(condition.right);
  }
  for (const theory::Rational& value : {Rational(1), Rational(2), Rational(1, 2), Rational(0), Rational(-1),
                                        Rational(10), Rational(-10), Rational(1, 10)}) {
    const bool inside = std::ranges::all_of(result.domain, [&](const theory::Condition& condition) {
      const Expr difference = substitute(condition.left - condition.right, name, Expr(value));
      const Rational* number = difference.number();
      return number != nullptr && satisfies(condition.relation, number->sign());
    });
    if (!inside) continue;
    result.values = {{Expr(value)}};
    result.value_texts = {{value.str()}};
    return result;
  }
  result.domain.clear();  // no simple value: the sum is asked about for all real numbers
  result.domain_text.clear();
  return result;
}

}  // namespace gpe::checks
