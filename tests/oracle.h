// The oracle that decides constants in tests: by enclosures.
#pragma once

#include "checks/arb/expr_ball.h"

namespace gpe::testing {

inline const checks::BallOracle& oracle() {
  static const checks::BallOracle instance;
  return instance;
}

}  // namespace gpe::testing
