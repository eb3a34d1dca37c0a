// The time limit of one evaluation: a sum of a million terms is evaluated between two questions for the time.
#pragma once

#include <optional>

#include "theory/expression/cpu_clock.h"

namespace gpe::checks {

/// While it lives, evaluation over ranges in this thread ends with TimeUp once the time is over; of several
/// budgets, the one that ends first counts.
class TimeBudget {
 public:
  /// Without a duration there is no limit.
  explicit TimeBudget(std::optional<theory::CpuClock::duration> left);
  ~TimeBudget();
  TimeBudget(const TimeBudget&) = delete;
  TimeBudget& operator=(const TimeBudget&) = delete;
  /// Asks the clock every so many calls.
  /// @throws theory::TimeUp
  static void check();

 private:
  const TimeBudget* outer_;
  std::optional<theory::Deadline> deadline_;
};

}  // namespace gpe::checks
