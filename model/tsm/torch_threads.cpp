#include "model/tsm/torch_threads.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace gpe::model {

Parallel torch_threads() {
  return [](std::int64_t count, const std::function<void(std::int64_t)>& task) {
    std::atomic<std::int64_t> next = 0;
    std::exception_ptr failure;
    std::mutex failure_lock;
    at::parallel_for(0, std::min<std::int64_t>(at::get_num_threads(), count), 1,
                     [&](std::int64_t, std::int64_t) {
                       try {
                         for (std::int64_t i = next++; i < count; i = next++) task(i);
                       } catch (...) {
                         const std::scoped_lock lock(failure_lock);
                         if (!failure) failure = std::current_exception();
                         next = count;
                       }
                     });
    if (failure) std::rethrow_exception(failure);
  };
}

}  // namespace gpe::model
