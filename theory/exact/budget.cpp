#include "theory/exact/budget.h"

#include <algorithm>
#include <ctime>

#include "theory/expression/undecided.h"

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

Budget Budget::ending(CpuClock::time_point begin, CpuClock::time_point end) const {
  Budget result = *this;
  result.begin_ = begin;
  result.end_ = end;
  result.earliest_ = {};
  return result;
}

Budget Budget::question() const {
  if (!each_) return *this;
  const auto now = CpuClock::now();
  Budget result = *this;
  if (end_of_all_) {
    const Duration left = *end_of_all_ - now;
    const std::chrono::milliseconds least(left > std::chrono::seconds(-10) ? 10 : 1);  // many that are quick
    result.each_ = std::min(*each_, std::max<Duration>(left / 3, least));
  }
  return result.ending(now, now + *result.each_);
}

Budget Budget::whole() const {
  if (!end_ && !together_) return *this;
  const auto now = CpuClock::now();
  Budget result = end_ ? *this : ending(now, now + *together_);
  result.end_of_all_ = result.end_;
  return result;
}

Budget Budget::until(int parts, int of) const {
  return end_ ? ending(begin_, begin_ + (*end_ - begin_) * parts / of) : *this;
}

std::optional<Budget::Duration> Budget::left() const {
  return end_ ? std::optional<Duration>(*end_ - CpuClock::now()) : std::nullopt;
}

bool Budget::is_over() const {
  if (!end_) return false;
  const auto now = std::chrono::steady_clock::now();  // asked first: that of CPU time takes long
  if (now <= earliest_) return false;
  const Duration left = *end_ - CpuClock::now();
  earliest_ = now + left;
  return left.count() < 0;
}

void Budget::check() const {
  if (is_over()) throw TimeUp();
}

}  // namespace gpe::theory
