// The first n at which a statement about the integers fails: whole blocks are settled by interval arithmetic,
// and only the block where it fails is cut down to a point.
#pragma once

#include <functional>
#include <optional>

#include "checks/arb/range.h"
#include "theory/exact/context.h"

namespace gpe::checks {

struct Statement {
  /// A proof that the statement holds at every n of the block; false means "not proved".
  std::function<bool(const Range& n)> holds_on;
  /// Decides the statement at one n.
  std::function<bool(const theory::Rational& n)> holds_at;
  /// A proof for all n >= low, where holds_on of an endless block does not reach; optional.
  std::function<bool(const theory::Rational& low)> holds_from = nullptr;
};

struct SearchResult {
  std::optional<theory::Rational> fails_at;  ///< the least such n
  bool proved_everywhere = false;            ///< it holds at every n in question
  theory::Rational checked_below;            ///< it holds at every n below this
};

/// Searches first … last (absent: no end), up to n = 10^30 and `most_steps` evaluations.
SearchResult first_failure(const Statement& statement, const theory::Rational& first,
                           const std::optional<theory::Rational>& last, const theory::Context& context,
                           int most_steps = 20000, long bits = 128);

}  // namespace gpe::checks
