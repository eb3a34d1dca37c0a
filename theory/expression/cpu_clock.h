// The clock of time limits.
#pragma once

#include <chrono>

namespace gpe::theory {

/// CPU time of the calling thread: what a computation gets of it does not depend on what else the
/// machine does. A time point is for the thread that made it.
struct CpuClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<CpuClock>;
  static constexpr bool is_steady = true;
  static time_point now();
};

/// A moment of CPU time, and the earliest one of real time at which it can be there: the system is
/// asked for the former, which takes long, only after the latter.
class Deadline {
 public:
  explicit Deadline(CpuClock::time_point at)
      : at_(at), earliest_(std::chrono::steady_clock::now() + (at - CpuClock::now())) {}
  bool has_passed() const { return std::chrono::steady_clock::now() > earliest_ && CpuClock::now() > at_; }
  CpuClock::duration left() const { return at_ - CpuClock::now(); }

 private:
  CpuClock::time_point at_;
  std::chrono::steady_clock::time_point earliest_;
};

}  // namespace gpe::theory
