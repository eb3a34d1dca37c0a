// Independent tasks on several threads. Each task writes what no other touches, so no result depends on how
// many there are.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

namespace gpe::model {

/// Runs task(0) … task(count - 1), in any order, and returns when all are done.
using Parallel = std::function<void(std::int64_t count, const std::function<void(std::int64_t)>& task)>;

/// The tasks of one call, for the threads that share them out: the next free one takes the next. The first
/// failure ends all.
class SharedTasks {
 public:
  SharedTasks(std::int64_t count, const std::function<void(std::int64_t)>& task)
      : count_(count), task_(task) {}
  /// What each thread does.
  void work();
  /// When all threads have worked. @throws what a task threw
  void finish() const;

 private:
  std::int64_t count_;
  const std::function<void(std::int64_t)>& task_;
  std::atomic<std::int64_t> next_ = 0;
  std::exception_ptr failure_;
  std::mutex failure_lock_;
};

/// One after the other.
Parallel one_thread();
/// On `threads` threads that live for one call; the next free one takes the next task. What a task throws
/// comes out of the call.
Parallel several_threads(int threads);

}  // namespace gpe::model
