// Words of the command line that a program does not know. Tests: tests/cli/bad_use.cmake
#pragma once

#include <string>
#include <vector>

namespace gpe::checks {

/// What to say of an option: the nearest of the program's `options` (named without "--"), where one is near.
std::string unknown_option(const std::string& word, const std::vector<std::string>& options);

}  // namespace gpe::checks
