// Texts from outside are not nested deeper than their readers can follow: those recurse, as do the
// destructors of what they make. Tests: tests/cli/hostile_files.cmake
#pragma once

#include <string>
#include <string_view>

namespace gpe::theory {

inline constexpr int kMaxNested = 64;    ///< brackets
inline constexpr int kMaxKeyParts = 32;  ///< of a dotted key

/// @throws SpecError  with the place of the first bracket or dot too many
void require_shallow_toml(std::string_view text, std::string_view source);
void require_shallow_json(std::string_view text, std::string_view source);

}  // namespace gpe::theory
