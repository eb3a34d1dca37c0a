// The property, and perhaps the reading, that a word of the command line means.
// Tests: tests/cli/require.cmake
#pragma once

#include <string>

#include "theory/properties/reading.h"

namespace gpe::checks {

struct Selected {
  theory::Property property;
  std::string reading;  ///< empty: every reading
};
/// "cn", "entropy-boundedness", "cn=every-content", "weight": names of properties and readings, or beginnings
/// of them that mean one alone; Python takes the same (probes/python/gpe/_verdicts/readings.py).
/// @throws theory::SpecError  naming the option, for a word that means nothing or several
Selected select_property(const std::string& text, const std::string& option);

}  // namespace gpe::checks
