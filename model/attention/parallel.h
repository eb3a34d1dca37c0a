// Independent tasks on several threads. Each task writes what no other touches, so no result depends on how
// many there are.
#pragma once

#include <cstdint>
#include <functional>

namespace gpe::model {

/// Runs task(0) … task(count - 1), in any order, and returns when all are done.
using Parallel = std::function<void(std::int64_t count, const std::function<void(std::int64_t)>& task)>;

/// One after the other.
Parallel one_thread();
/// On `threads` threads that live for one call; the next free one takes the next task. What a task throws
/// comes out of the call.
Parallel several_threads(int threads);

}  // namespace gpe::model
