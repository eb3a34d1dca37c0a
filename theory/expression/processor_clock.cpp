#include "theory/expression/processor_clock.h"

#include <ctime>

namespace gpe::theory {

ProcessorClock::time_point ProcessorClock::now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return time_point(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

}  // namespace gpe::theory
