// The first pair of integers at which a statement fails: whole boxes are settled by interval arithmetic, and
// only those that are open are cut in two.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "checks/arb/range.h"
#include "theory/exact/context.h"

namespace gpe::checks {

/// About two integers x, y.
struct PlaneStatement {
  /// A proof that the statement holds on the whole box; false means "not proved".
  std::function<bool(const Range& x, const Range& y)> holds_on;
  /// Decides the statement at one pair.
  std::function<bool(const theory::Rational& x, const theory::Rational& y)> holds_at;
};

/// The integers first … last (absent: no end).
struct Side {
  theory::Rational first;
  std::optional<theory::Rational> last;
};

struct PlaneSearchResult {
  std::optional<std::pair<theory::Rational, theory::Rational>>
      fails_at;                    ///< with the least x + y, and of those the least x
  bool proved_everywhere = false;  ///< on the whole of both sides
  theory::Rational checked_below;  ///< it holds where x + y is below this
};

/// Searches x × y with up to `most_steps` evaluations. @throws TimeUp
PlaneSearchResult first_failure_in_plane(const PlaneStatement& statement, const Side& x, const Side& y,
                                         const theory::Context& context, int most_steps, long bits = 128);

}  // namespace gpe::checks
