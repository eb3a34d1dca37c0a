// Lists of names, and lists as text.
// Tests: tests/theory/score/parse_error_test.cpp, tests/cli/parameters.cmake
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gpe::theory {

/// "a, b, c": the text of each, with the separator between them.
template <class Range, class Text = std::identity>
std::string joined(Range&& range, std::string_view separator, const Text& text = {}) {
  std::string all;
  for (const auto& one : range) {
    if (!all.empty()) all += separator;
    all += std::invoke(text, one);
  }
  return all;
}

/// "1 key", "2 keys".
inline std::string counted(std::int64_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

template <class Range>
std::vector<std::string> names_of(const Range& range) {
  std::vector<std::string> names;
  for (const auto& one : range) names.push_back(one.name);
  return names;
}

}  // namespace gpe::theory
