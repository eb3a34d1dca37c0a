// What was missing, whichever part said so.
#pragma once

#include "theory/decision.h"
#include "theory/expr_eval.h"
#include "theory/form_expr.h"

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

}  // namespace gpe::checks
