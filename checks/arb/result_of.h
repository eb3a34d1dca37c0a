// Operations of FLINT and Arb as functions: what they write into their first argument.
// Tests: tests/checks/arb/ball_test.cpp
#pragma once

namespace gpe::checks {

template <class Value, class Operation, class... Arguments>
Value result_of(const Operation& operation, const Arguments&... arguments) {
  Value result;
  operation(result.raw(), arguments...);
  return result;
}

}  // namespace gpe::checks
