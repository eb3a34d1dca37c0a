// One head of one layer, and its dimension.
// Tests: tests/theory/score/score_function_test.cpp, tests/theory/score/window_test.cpp
#pragma once

#include "theory/expression/expr.h"

namespace gpe::theory {

struct Setting {
  int head_dim = 64;
  int head = 1;
  int heads = 1;
  int layer = 1;
  int layers = 1;
};

/// With the numbers of this setting in place of d, h, heads, layer and layers.
Expr with_setting(const Expr& expression, const Setting& setting);

}  // namespace gpe::theory
