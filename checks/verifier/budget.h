// What checking one certificate may take: counted work, seconds of the thread, bytes of the process. The
// count decides first, so that what is accepted does not depend on the machine.
// Tests: tests/certificates/attacks_test.cpp
#pragma once

#include <cstddef>
#include <stdexcept>

namespace gpe::verifier {

/// A certificate that takes more than its budget: no NotShown, as nothing else is to be tried.
struct TooLong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Limits {
  static constexpr std::size_t kFileBytes = std::size_t{1} << 22;
  double times = 1;     ///< of 100 million steps, 30 s and 1 GiB
  double seconds = 30;  ///< less of them for what has less time
};

/// One certificate begins: what this thread spends from here on counts against the limits.
void begin(const Limits& limits = {});
/// Counts work: terms of sums, operations on intervals, words of formulas. @throws TooLong
void spend(std::size_t steps);
std::size_t spent();  ///< steps since `begin`

}  // namespace gpe::verifier
