// How many cases a test draws: few in every run, many in the tests under `long` (tests/CMakeLists.txt).
#pragma once

#include <cstdlib>

namespace gpe::testing {

inline int cases(int few, int many) { return std::getenv("GPE_MANY") != nullptr ? many : few; }

}  // namespace gpe::testing
