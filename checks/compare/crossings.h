// Along a parameter: where one law has the larger number, where the other, and where it changes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checks/compare/comparison.h"
#include "checks/compare/tilt.h"

namespace gpe::checks {

/// The place of a change lies in [low, high], proved by what holds at both ends.
struct Change {
  theory::Rational low;
  theory::Rational high;
  std::string exact;             ///< an expression for the place itself; empty when none was found
  Ball value = Ball::unknown();  ///< of `exact`; otherwise the hull of both ends
  std::string reason;            ///< why it is wider than asked
  bool whole = false;            ///< the parameter takes whole numbers: low and high are neighbours
};

struct Crossings {
  ComparedQuantity quantity = ComparedQuantity::entropy;
  std::vector<Ordered> orders;  ///< one more than changes, from the least value of the parameter up
  std::vector<Change> changes;
  bool proved = false;  ///< there are no other changes between the ends
  std::string reason;   ///< why that is proved, or why it is not
};

/// Two laws, one or both of which move with a parameter.
struct Pair {
  std::function<theory::ScoreFunction(const theory::Rational&)>
      first;  ///< closed, at a value of the parameter
  std::function<theory::ScoreFunction(const theory::Rational&)> second;
  std::optional<Tilt> first_tilt;
  std::optional<Tilt> second_tilt;
  bool first_moves = true;
  bool second_moves = true;
  bool whole = false;  ///< the parameter takes whole numbers only
};

/// Compares at the values given, and closes in on every change between neighbours. All changes are found when
/// the quantity is monotone in the one law that moves (V5 of docs/compare.md): then there is at most one of
/// each kind.
/// @param values  increasing, two at least
/// @param digits  of the places of changes; of counts 12 at most
Crossings find_crossings(const Pair& pair, ComparedQuantity quantity,
                         const std::vector<theory::Rational>& values, int digits,
                         const ComparisonOptions& options, const theory::Context& context);

}  // namespace gpe::checks
