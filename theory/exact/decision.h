// How a decision can end without an answer. These are thrown inside theory/ and turned into values at its
// edge (theory/exact/region.h): a caller of the public functions sees a verdict, a region, or "undecided"
// with a reason. Tests: tests/theory/exact/context_test.cpp, tests/theory/exact/attempt_test.cpp
#pragma once

#include "theory/exact/form.h"
#include "theory/expression/undecided.h"

namespace gpe::theory {

/// The answer depends on the sign of `form`, which the assumptions leave open: decide each case apart.
struct SplitRequest {
  Form form;
};

}  // namespace gpe::theory
