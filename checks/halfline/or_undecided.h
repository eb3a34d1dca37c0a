// What was missing, whichever part said so.
#pragma once

#include "theory/exact/decision.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

/// The result of `work`; every way in which it may end without one as Undecided (TimeUp is one).
template <class Work>
auto or_undecided(const Work& work) {
  try {
    return work();
  } catch (const theory::Undefined& undefined) {
    throw theory::Undecided(undefined.what());
  } catch (const theory::EvaluationError& error) {
    throw theory::Undecided(error.what());
  } catch (const theory::SplitRequest& request) {
    throw theory::Undecided("the sign of " + theory::to_text(request.form) + " is left open");
  }
}

/// The normal form, or the expression itself where none is settled: (-1)^n has values, but no form as a
/// function of real n.
inline theory::Expr simplify_if_settled(const theory::Expr& expression, const theory::Context& context) {
  try {
    return or_undecided([&] { return simplify(expression, context); });
  } catch (const theory::Undecided&) {
    return expression;
  }
}

}  // namespace gpe::checks
