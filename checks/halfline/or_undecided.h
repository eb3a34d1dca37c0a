// Every failure of a decision as Undecided. Tests: tests/cli/report.cmake
#pragma once

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

/// The result of `work`, or the reason why there is none, in every way in which it may end without one.
template <class Work>
auto attempt_all(const Work& work) {
  using namespace theory;
  return attempt<Undecided, Undefined, EvaluationError, SplitRequest>(work);
}

/// The result of `work`; every way in which it may end without one as Undecided (TimeUp is one).
template <class Work>
auto or_undecided(const Work& work) {
  return theory::attempt<theory::Undefined, theory::EvaluationError, theory::SplitRequest>(work).or_raise();
}

/// The normal form, or the expression itself where none is settled: (-1)^n has values, but no form as a
/// function of real n.
inline theory::Expr simplify_if_settled(const theory::Expr& expression, const theory::Context& context) {
  return attempt_all([&] { return simplify(expression, context); }).value_or(expression);
}

}  // namespace gpe::checks
