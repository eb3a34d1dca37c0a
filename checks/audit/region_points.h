// Simple rational points of a region: where counterexamples and witnesses are looked for.
#pragma once

#include <functional>

#include "checks/audit/family.h"
#include "theory/exact/region.h"

namespace gpe::checks {

using ClaimPoint = std::vector<std::pair<std::string, theory::Rational>>;

/// A part of the parameter space: conditions as written, and signs that a decision asked for.
struct ClaimRegion {
  std::vector<OpenNumber> open;
  std::vector<theory::Condition> conditions;
  std::vector<theory::Constraint> signs;
};

/// Visits points of the region, simple ones first (1, 2, 1/2, 0, 3, -1, … for real numbers; the first
/// integers, then powers of two; in order of the sum of places), until `visit` returns true or `most`
/// candidates were looked at. Points at which a condition cannot be decided are left out.
/// @returns whether `visit` returned true
bool visit_points(const ClaimRegion& region, const theory::Context& context, int most,
                  const std::function<bool(const ClaimPoint&)>& visit);

}  // namespace gpe::checks
