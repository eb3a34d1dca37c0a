#include "model/gpt/torch_threads.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace gpe::model {

Parallel torch_threads() {
  return [](std::int64_t count, const std::function<void(std::int64_t)>& task) {
    SharedTasks tasks(count, task);
    at::parallel_for(0, std::min<std::int64_t>(at::get_num_threads(), count), 1,
                     [&](std::int64_t, std::int64_t) { tasks.work(); });
    tasks.finish();
  };
}

}  // namespace gpe::model
