// How a decision can end without an answer. These are thrown inside theory/ and turned into values at its
// edge (theory/region.h): a caller of the public functions sees a verdict, a region, or "undecided" with
// a reason.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "theory/form.h"

namespace gpe::theory {

/// The engine cannot settle this constant, sign or limit; `what()` names it.
struct Undecided : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An operation outside its domain (log of a negative constant, division by zero).
struct Undefined : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The time allowed for one decision is over.
struct TimeUp : Undecided {
  TimeUp() : Undecided("the time limit was reached before a decision") {}
};

/// The answer depends on the sign of `form`, which the assumptions leave open: decide each case apart.
struct SplitRequest {
  Form form;
};

}  // namespace gpe::theory
