// The clock of time limits. Tests: tests/theory/exact/context_test.cpp, tests/checks/sums/time_limit_test.cpp
#pragma once

#include <chrono>
#include <optional>

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

/// The time of one of several questions that share what is left until `end`: a third of it, so that something
/// is left for those after it, and at most `each`; some milliseconds when nothing is left, for what is quick.
std::chrono::milliseconds share_of(std::chrono::milliseconds each, std::optional<CpuClock::time_point> end);

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
