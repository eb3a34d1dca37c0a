// A value in TOML that lacks its quotes. Tests: tests/theory/score/newcomers_test.cpp
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpe::theory {

/// Of a line of TOML with a mistake at `column` (from 1, in bytes): the value there that lacks its quotes.
struct Unquoted {
  std::size_t begin = 0;  ///< bytes of the line; an empty range: there is none
  std::size_t end = 0;
  std::string message;
};
Unquoted unquoted_value(std::string_view line, std::size_t column);

}  // namespace gpe::theory
