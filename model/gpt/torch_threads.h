// The threads of LibTorch, for work that is not its own: two pools would stand in each other's way.
// Tests: tests/model/gpt/transformer_test.cpp
#pragma once

#include "model/position/parallel.h"

namespace gpe::model {

/// at::get_num_threads() of them; the next free one takes the next task.
Parallel torch_threads();

}  // namespace gpe::model
