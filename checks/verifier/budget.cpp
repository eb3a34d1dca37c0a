#include "checks/verifier/budget.h"

#include <sys/resource.h>

#include <ctime>
#include <limits>
#include <string>

namespace gpe::verifier {

namespace {

constexpr double kSteps = 100e6, kBytes = 1 << 30;
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr unsigned kCallsPerLook = 1024;  // at the clock and at the memory

struct Usage {  // no limits before a certificate begins
  double most_steps = kNever, most_bytes = kNever, end = kNever;
  Limits limits;
  std::size_t steps = 0;
  unsigned calls = 0;
};
thread_local Usage usage;

double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double bytes() {  // the most that the process has had
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return 1024.0 * static_cast<double>(used.ru_maxrss);
}

void stop_beyond(bool over, double limit, const char* unit) {
  if (!over) return;
  throw TooLong("checking it takes more than " + std::to_string(static_cast<long long>(limit)) + " " + unit +
                "; --budget " + std::to_string(static_cast<long>(2 * usage.limits.times) + 1) +
                " allows more");
}

}  // namespace

void begin(const Limits& limits) {
  static const double before = bytes();
  usage = {limits.times * kSteps, before + (limits.times > 1 ? limits.times : 1) * kBytes,
           seconds() + limits.times * limits.seconds, limits};
}

void spend(std::size_t steps) {
  usage.steps += steps;
  stop_beyond(static_cast<double>(usage.steps) > usage.most_steps, usage.most_steps, "steps");
  if (++usage.calls % kCallsPerLook != 0 || usage.end == kNever) return;
  stop_beyond(bytes() > usage.most_bytes, (usage.limits.times > 1 ? usage.limits.times : 1) * kBytes,
              "bytes");
  stop_beyond(seconds() > usage.end, usage.limits.times * usage.limits.seconds, "s");
}

std::size_t spent() { return usage.steps; }

}  // namespace gpe::verifier
