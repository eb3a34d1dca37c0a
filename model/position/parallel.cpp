#include "model/position/parallel.h"
// Tests: tests/model/attention/attention_test.cpp
#include <algorithm>
#include <thread>
#include <vector>

namespace gpe::model {

void SharedTasks::work() {
  try {
    for (std::int64_t i = next_++; i < count_; i = next_++) task_(i);
  } catch (...) {
    const std::scoped_lock lock(failure_lock_);
    if (!failure_) failure_ = std::current_exception();
    next_ = count_;
  }
}

void SharedTasks::finish() const {
  if (failure_) std::rethrow_exception(failure_);
}

Parallel one_thread() {
  return [](std::int64_t count, const std::function<void(std::int64_t)>& task) {
    for (std::int64_t i = 0; i < count; ++i) task(i);
  };
}

Parallel several_threads(int threads) {
  return [threads](std::int64_t count, const std::function<void(std::int64_t)>& task) {
    SharedTasks tasks(count, task);
    std::vector<std::jthread> others;
    for (std::int64_t t = 1; t < std::min<std::int64_t>(threads, count); ++t)
      others.emplace_back([&] { tasks.work(); });
    tasks.work();
    others.clear();
    tasks.finish();
  };
}

}  // namespace gpe::model
