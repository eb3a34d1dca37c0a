// The window of one head, of a file in which some heads have none.
// Tests: tests/theory/score/window_test.cpp
#pragma once

#include "theory/exact/context.h"
#include "theory/score/encoding.h"
#include "theory/score/setting.h"

namespace gpe::theory {

/// In a formula of the window: no window.
inline constexpr const char* kNoWindow = "none";

/// The same, with the window of this head: without `none` in its formula, and without a window where that is
/// what the formula gives.
/// @throws SpecError  `none` elsewhere than alone, in a value of `if`, or in `min`; beside a condition of
/// parameters
Encoding with_window_of(const Encoding& encoding, const Setting& setting, const Context& context);

}  // namespace gpe::theory
