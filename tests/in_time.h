// Contexts with time, for tests of decisions and numbers.
#pragma once

#include <chrono>

#include "checks/arb/expr_ball.h"

namespace gpe::testing {

/// Each question may take so long; closed constants are enclosed by balls.
inline theory::Context in_time(std::chrono::milliseconds each = std::chrono::seconds(10)) {
  return checks::ball_context(theory::Budget(each));
}

}  // namespace gpe::testing
