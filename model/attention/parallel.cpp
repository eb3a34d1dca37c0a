#include "model/attention/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gpe::model {

Parallel one_thread() {
  return [](std::int64_t count, const std::function<void(std::int64_t)>& task) {
    for (std::int64_t i = 0; i < count; ++i) task(i);
  };
}

Parallel several_threads(int threads) {
  return [threads](std::int64_t count, const std::function<void(std::int64_t)>& task) {
    std::atomic<std::int64_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_lock;
    const auto work = [&] {
      try {
        for (std::int64_t i = next++; i < count; i = next++) task(i);
      } catch (...) {
        const std::scoped_lock lock(failure_lock);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    };
    std::vector<std::jthread> others;
    for (std::int64_t t = 1; t < std::min<std::int64_t>(threads, count); ++t) others.emplace_back(work);
    work();
    others.clear();
    if (failure) std::rethrow_exception(failure);
  };
}

}  // namespace gpe::model
