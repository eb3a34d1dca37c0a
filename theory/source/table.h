// A column of exact numbers that an expression may index: NAME(EXPR) in a specification.
// Tests: tests/theory/asymptotics/pieces_test.cpp, tests/checks/arb/expr_ball_test.cpp
#pragma once

#include <string>
#include <vector>

#include "theory/source/rational.h"

namespace gpe::theory {

enum class Beyond { constant, error };

struct Table {
  std::string name;
  std::vector<Rational> values;  ///< values[i] is the entry at index first_index + i
  std::int64_t first_index = 0;
  Beyond beyond = Beyond::error;  ///< `constant`: indices past the end read the last entry

  std::int64_t last_index() const { return first_index + static_cast<std::int64_t>(values.size()) - 1; }
};

}  // namespace gpe::theory
