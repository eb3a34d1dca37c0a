// How many cases a test draws: few in every run, many in the tests under `long` (tests/CMakeLists.txt).
#pragma once

#include <cstdlib>

namespace gpe::testing {

inline int cases(int few, int many) { return std::getenv("GPE_MANY") != nullptr ? many : few; }

/// Whether this is one of those of every run, of all one in so many; under `long` each is.
inline bool drawn(int number, int one_in) { return number % cases(one_in, 1) == 0; }

}  // namespace gpe::testing
