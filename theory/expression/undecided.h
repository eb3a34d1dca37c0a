// Not known: no answer, with the reason. Thrown inside theory/ and checks/, and turned into values at their
// edge. Tests: tests/theory/exact/attempt_test.cpp
#pragma once

#include <stdexcept>

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

}  // namespace gpe::theory
