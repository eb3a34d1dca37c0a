// A parameter left open by an audit: its domain, and a simple sample value.
// Tests: tests/certificates/audit.cmake
#pragma once

#include <string>
#include <vector>

#include "theory/score/encoding.h"

namespace gpe::checks {

/// A parameter of an encoding that was made from a formula: its domain, and a simple value inside.
/// @param conditions  those that mention other names are left out: then more is proved than needed
theory::Parameter open_parameter(const std::string& name, const std::vector<theory::Condition>& conditions);

}  // namespace gpe::checks
