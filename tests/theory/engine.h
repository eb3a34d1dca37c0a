// What every test of theory/ says: an oracle, texts as expressions and forms, values on balls.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checks/arb/expr_ball.h"
#include "tests/oracle.h"
#include "theory/exact/context.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_parse.h"
#include "theory/expression/expr_print.h"

namespace gpe::testing {

inline theory::Expr parse(const std::string& text,
                          std::vector<std::string> names = {"n", "L", "a", "b", "c", "x", "y"}) {
  theory::NameScope scope;
  scope.names = std::move(names);
  return theory::parse_expression(text, scope);
}

/// The normal form of a text, with nothing assumed about its parameters.
inline theory::Form form(const std::string& text) {
  const theory::Context context(oracle());
  return theory::to_form(parse(text), context);
}

using Point = std::map<std::string, theory::Rational>;

inline checks::Ball value(const theory::Expr& expression, const Point& point, long bits) {
  std::map<std::string, checks::Ball> balls;
  for (const auto& [name, number] : point) balls.emplace(name, checks::Ball(number, bits));
  return checks::evaluate(expression, balls, bits);
}

/// Both are known to `bits` bits, relative to the larger of them and 1, and do not contradict each other.
inline bool agree(const checks::Ball& a, const checks::Ball& b, long bits) {
  if (!a.is_finite() || !b.is_finite() || !a.overlaps(b)) return false;
  const long working = 2 * bits + 64;
  const checks::Ball one(1);
  const checks::Ball scale = checks::max(checks::max(checks::abs(a), checks::abs(b), working), one, working);
  const checks::Ball spread = checks::sub(checks::Ball::hull(a, b, working).upper(working),
                                          checks::Ball::hull(a, b, working).lower(working), working);
  const checks::Ball allowed =
      checks::mul(scale, checks::Ball(theory::Rational(2).pow(-bits), working), working);
  return spread.surely_at_most(allowed);
}

}  // namespace gpe::testing
