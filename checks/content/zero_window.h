// The window beyond which all weights are 0, of normalizers that have weights of exactly 0 (theorem N6,
// docs/theorems.md). Tests: tests/checks/content/zero_window_test.cpp
#pragma once

#include "checks/arb/big_count.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// The least W >= first such that, in every context and whatever the content within the bound, all keys
/// beyond W have weight 0; none where there is no such W; nothing for normalizers whose weights are all
/// positive. Undecided where the scores are not proved to fall.
/// @param law  closed, without L
std::optional<BigCount> zero_window(const theory::ScoreFunction& law, const theory::Rational& bound,
                                    const theory::Context& context);

}  // namespace gpe::checks
