// The numbers that claims compare: exact expressions, enclosures, infinities, and numbers that do not exist.
#pragma once

#include "checks/arb/ball.h"
#include "checks/audit/scope.h"

namespace gpe::checks {

struct ClaimValue {
  enum class Kind {
    expression,  ///< exact; may mention symbols left open, and n
    enclosed,    ///< a ball
    plus_infinity,
    minus_infinity,
    absent  ///< there is no such number, as the local range of an encoding without one
  };
  Kind kind = Kind::absent;
  theory::Expr expression = theory::Expr(0);
  Ball ball;

  static ClaimValue exact(theory::Expr value) { return {Kind::expression, std::move(value), {}}; }
  static ClaimValue enclosed(Ball value) { return {Kind::enclosed, theory::Expr(0), std::move(value)}; }
  bool is_number() const { return kind == Kind::expression || kind == Kind::enclosed; }
};

/// A number that is computed only where every symbol has a value.
struct NeedsValues : theory::Undecided {
  using theory::Undecided::Undecided;
};

/// Whether the number is a formula of its arguments, exactly: bias(A, k), parameter(A, m), choose(n, k), …
bool is_formula(const ClaimQuantity& quantity);

/// @param digits  significant digits that enclosures aim at
/// @throws theory::Undecided, theory::SplitRequest, theory::Undefined
ClaimValue value_of(const ClaimTerm& term, const AuditScope& scope, const theory::Context& context,
                    int digits);
ClaimValue value_of(const ClaimQuantity& quantity, const AuditScope& scope, const theory::Context& context,
                    int digits);

/// The enclosure of a closed value. @pre is_number. @throws NeedsValues.
Ball enclosure(const ClaimValue& value, long bits);
/// "3.484221179", "1/16", "infinite", "none", "beta + 1".
/// @param digits  shown at most, of what is enclosed
std::string to_text(const ClaimValue& value, int digits = 10);

/// The names of symbols that the law leaves open. @throws NeedsValues  when there are any
void require_closed(const theory::ScoreFunction& law, const std::string& what);

}  // namespace gpe::checks
