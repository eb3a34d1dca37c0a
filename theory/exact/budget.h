// How long a computation may take, and how a report divides its time among questions.
// Tests: tests/theory/exact/budget_test.cpp, tests/checks/sums/time_limit_test.cpp
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

/// The CPU time that a question or a report may take. One that has not started is a pair of durations, which
/// threads may share; one that has is for the thread that began it.
class Budget {
 public:
  using Duration = CpuClock::duration;

  /// Without a limit.
  Budget() = default;
  /// @param each      for each question
  /// @param together  for all questions of a report
  explicit Budget(Duration each, std::optional<Duration> together = std::nullopt)
      : each_(each), together_(together) {}

  /// The budget of one question, which begins now: `each`, but of what is left for all at most a third, so
  /// that something is left for those after it; some milliseconds when nothing is, for what is quick.
  Budget question() const;
  /// The budget of a report, which begins now: its questions share the time for all. Of a question that has
  /// started: the questions that it consists of share its time.
  Budget whole() const;
  /// parts/of of the time of a question or report, from where that began; beyond it when parts > of.
  Budget until(int parts, int of) const;

  std::optional<Duration> each() const { return each_; }
  /// Negative when the time is over; nothing when there is no limit, or it has not started.
  std::optional<Duration> left() const;
  bool is_over() const;
  /// @throws TimeUp  when the time is over
  void check() const;

 private:
  Budget ending(CpuClock::time_point begin, CpuClock::time_point end) const;

  std::optional<Duration> each_;
  std::optional<Duration> together_;
  std::optional<CpuClock::time_point> end_of_all_;
  CpuClock::time_point begin_{};
  std::optional<CpuClock::time_point> end_;
  mutable std::chrono::steady_clock::time_point earliest_{};  // of real time at which `end_` can be there
};

}  // namespace gpe::theory
