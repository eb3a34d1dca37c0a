#include "theory/expression/cpu_clock.h"

#include <algorithm>
#include <ctime>

namespace gpe::theory {

namespace {

// A time limit allows the same work where AddressSanitizer makes each step take about ten times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr int kSlowness = 10;
#else
constexpr int kSlowness = 1;
#endif

}  // namespace

CpuClock::time_point CpuClock::now() {
  timespec time{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0)
    clock_gettime(CLOCK_MONOTONIC, &time);  // WebAssembly
  return time_point((std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec)) / kSlowness);
}

std::chrono::milliseconds share_of(std::chrono::milliseconds each, std::optional<CpuClock::time_point> end) {
  using std::chrono::milliseconds;
  if (!end) return each;
  const auto left = *end - CpuClock::now();
  const milliseconds least(left > std::chrono::seconds(-10) ? 10 : 1);  // many that each are quick
  return std::min(each, std::max(std::chrono::duration_cast<milliseconds>(left / 3), least));
}

}  // namespace gpe::theory
