#include "checks/arb/time_budget.h"
// Tests: tests/checks/sums/time_limit_test.cpp
#include "theory/expression/undecided.h"

namespace gpe::checks {

namespace {

constexpr unsigned kCalls = 256;  // some ten microseconds of arithmetic
thread_local const TimeBudget* innermost = nullptr;
thread_local unsigned calls = 0;

}  // namespace

TimeBudget::TimeBudget(std::optional<theory::CpuClock::duration> left) : outer_(innermost) {
  if (left) deadline_.emplace(theory::CpuClock::now() + *left);
  innermost = this;
}

TimeBudget::~TimeBudget() { innermost = outer_; }

void TimeBudget::check() {
  if (innermost == nullptr || ++calls % kCalls != 0) return;
  for (const TimeBudget* budget = innermost; budget != nullptr; budget = budget->outer_) {
    if (budget->deadline_ && budget->deadline_->has_passed()) throw theory::TimeUp();
  }
}

}  // namespace gpe::checks
