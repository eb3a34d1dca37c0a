#include "theory/expression/cpu_clock.h"

#include <ctime>

namespace gpe::theory {

CpuClock::time_point CpuClock::now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace gpe::theory
