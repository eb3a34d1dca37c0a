// The byte order mark, which editors neither show nor count. Tests: tests/cli/configs.cmake
#pragma once

#include <string_view>

namespace gpe::theory {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A text as editors show it.
inline std::string_view without_mark(std::string_view text) {
  return text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size()) : text;
}

}  // namespace gpe::theory
