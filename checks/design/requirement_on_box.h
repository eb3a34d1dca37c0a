// A requirement over a whole box of an ordered family, from the two extreme corners (docs/design.md, D2).
#pragma once

#include "checks/design/design_point.h"
#include "checks/design/ordered_family.h"
#include "checks/design/requirement.h"

namespace gpe::checks {

struct BoxCorners {
  const OrderedFamily& family;
  const ParameterBox& box;
  DesignPoint& flat;
  DesignPoint& steep;
  /// Whether biases are seen to rise with n nowhere in the box.
  bool falls() const { return family.falls() || flat.bernstein(); }
};

/// A proof that every point of the box meets the requirement; false means "not proved". With a box of a
/// single point, that this one does.
bool surely_met(const Requirement& requirement, const BoxCorners& at);

/// A bound that no point of the box beats: a number not below (maximize) or not above the measure anywhere in
/// the box. Nothing: there is none, or none is proved.
std::optional<theory::Rational> bound_of(const Measure& measure, bool maximize, const BoxCorners& at);

}  // namespace gpe::checks
