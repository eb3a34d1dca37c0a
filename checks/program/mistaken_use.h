// A word of the command line that a program does not know. Tests: tests/cli/bad_use.cmake
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpe::checks {

/// What to say of it: the nearest of the program's options (named without "--"), or where a formula goes. Nothing where
/// neither is known.
std::optional<std::string> mistaken_argument(const std::string& word, const std::vector<std::string>& options);

}  // namespace gpe::checks
