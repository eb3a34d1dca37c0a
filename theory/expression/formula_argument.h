// A formula where an encoding was to be named. Tests: tests/cli/bad_use.cmake
#pragma once

#include <string>
#include <string_view>

namespace gpe::theory {

/// Whether a text that was to name an encoding is a formula in n: "-n/8", "log(1 + n)", "-m*n".
bool is_formula(std::string_view text);
/// What to say of one.
std::string formula_instead(std::string_view text);

}  // namespace gpe::theory
