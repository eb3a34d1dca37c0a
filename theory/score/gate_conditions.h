// What must hold of the formulas of gates along the path for there to be such gates.
// Tests: tests/theory/properties/path_test.cpp, tests/theory/properties/random_gates_test.cpp
#pragma once

#include <string>
#include <vector>

#include "theory/score/encoding.h"

namespace gpe::theory {

/// left < right, or left <= right.
struct GateCondition {
  struct Side {
    std::string name;  ///< "low", "e^mean"
    Expr value;
  };
  Side left;
  Relation relation;
  Side right;
};

/// That the interval has a gate; and what it says of E g and E e^g, and Jensen's inequality of both.
std::vector<GateCondition> gate_conditions(const Path& path);

/// Every formula of a path.
std::vector<Expr*> formulas_of(Path& path);

}  // namespace gpe::theory
