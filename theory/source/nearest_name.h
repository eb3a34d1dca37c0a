// The name that a mistyped one was meant to be. Tests: tests/theory/score/parse_error_test.cpp
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpe::theory {

/// The candidate closest to `name` in edit distance, if any is close enough to be a likely slip; that to the
/// part before the first hyphen counts one more.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);
/// "; did you mean 'NAME'?" for that one, or `otherwise`.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates,
                         const std::string& otherwise = "");

}  // namespace gpe::theory
