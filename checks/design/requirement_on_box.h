// A requirement over a whole box of an ordered family, from the two extreme corners (docs/design.md, D2).
#pragma once

#include "checks/design/box_corners.h"
#include "checks/design/requirement.h"

namespace gpe::checks {

/// A proof that every point of the box meets the requirement; false means "not proved". With a box of a
/// single point, that this one does.
bool surely_met(const Requirement& requirement, const BoxCorners& at);

/// A range or a reach that does not exist counts as this, so that it is below all that do.
constexpr std::int64_t kNoCount = -1;

/// Whether the entropy over all distances is proved to be infinite at every point of the box.
bool infinite_entropy(const Measure& measure, const BoxCorners& at);

/// A bound that no point of the box beats: a number not below (maximize) or not above the measure anywhere in
/// the box. Nothing: there is none, or none is proved.
std::optional<theory::Rational> bound_of(const Measure& measure, bool maximize, const BoxCorners& at);

}  // namespace gpe::checks
