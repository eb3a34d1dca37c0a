// Families: what a file says its parameters may be chosen from, `range = "LOW..HIGH"` beside a default.
// Tests: tests/cli/design.cmake, tests/cli/sweep.cmake
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "theory/source/rational.h"

namespace gpe::theory {

using ParameterRange = std::pair<Rational, Rational>;

/// "1/1000..1"; nothing for what is not an interval of numbers with LOW < HIGH.
std::optional<ParameterRange> parse_range(std::string_view text);

/// The parameters with a range, in alphabetical order.
/// @pre the text is that of an encoding file (parse_encoding takes it)
std::vector<std::pair<std::string, ParameterRange>> parameter_ranges(std::string_view text);

}  // namespace gpe::theory
