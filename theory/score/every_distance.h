// What holds at every distance, and not only near infinity: whether a function of n vanishes at all of them,
// and the first one at which two things differ. Tests: tests/theory/properties/gps_test.cpp
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "theory/score/score_function.h"

namespace gpe::theory {

/// Whether function(n) = 0 at every integer n >= start (and at every L >= 0), proved. False: not seen.
bool vanishes_from(const Expr& function, std::int64_t start, const Context& context);

/// What is asked at each distance.
struct DistanceQuestion {
  std::function<std::optional<bool>(std::int64_t)> differs;  ///< at n; nothing when that is not settled
  std::function<bool(std::int64_t)> same_from;               ///< proved: differs at no n >= this one
  std::string what;                                          ///< what may differ, for the reason
};

/// Whether distance n >= first is inside the window; where its size is left open, that is a case of its own.
bool sees(const ScoreFunction& law, std::int64_t n, const Context& context);

/// A distance that is seen, beyond `first`, at which it differs, the least one where all before it were
/// settled; nothing when there is none. @throws Undecided, SplitRequest
std::optional<std::int64_t> where_it_differs(const ScoreFunction& law, const DistanceQuestion& question,
                                             const Context& context);

}  // namespace gpe::theory
