// The corners of a box of an ordered family where its terms are least and largest (docs/certificates.md, D2).
// Tests: tests/checks/design/design_test.cpp
#pragma once

#include "checks/design/design_point.h"
#include "checks/design/ordered_family.h"

namespace gpe::checks {

struct BoxCorners {
  const OrderedFamily& family;
  const ParameterBox& box;
  DesignPoint& flat;
  DesignPoint& steep;
  /// Whether biases are seen to rise with n nowhere in the box.
  bool falls() const { return family.falls() || flat.bernstein(); }
};

}  // namespace gpe::checks
