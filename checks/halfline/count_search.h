// The last n at which a statement holds that, once false, stays false: exact integers, or log10 beyond 10^30.
// Tests: tests/checks/content/effective_window_test.cpp, tests/checks/content/local_range_test.cpp
#pragma once

#include <functional>

#include "checks/arb/ball.h"
#include "checks/arb/big_count.h"
#include "theory/exact/context.h"

namespace gpe::checks {

/// @param holds  decides the statement at n >= first, monotone there: true, …, true, false, …
/// @param last   the last n in question; when the statement still holds there, the answer is `last`
/// @return none (when it fails at first), a number up to 10^30, or its log10 (digits proved, up to 10^3000)
/// @throws theory::Undecided  when it still holds at 10^3000
BigCount last_holding(const std::function<bool(const theory::Rational&)>& holds,
                      const theory::Rational& first, const std::optional<theory::Rational>& last,
                      const theory::Context& context);

/// 10^x for an x in the bracket, with the digits that it proves; unknown where they do not reach the units.
BigCount power_of_ten(const Ball& exponent);

}  // namespace gpe::checks
