// Bad input: one message that says where, what, and what was expected.
// Tests: tests/theory/score/parse_error_test.cpp
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace gpe::theory {

/// Caught only in main, which prints it and exits with 2.
struct SpecError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A place in a text: "file:line:column: message", the line, and carets under [column, column + length).
/// @param line, column  from 1; column counts characters (UTF-8), as editors do.
SpecError error_at(std::string_view source, std::string_view text, std::size_t line, std::size_t column,
                   std::size_t length, std::string_view message);
/// The same for bytes [begin, end) of a one-line text that is not a file (a command-line argument).
SpecError error_in_argument(std::string_view source, std::string_view text, std::size_t begin,
                            std::size_t end, std::string_view message);

}  // namespace gpe::theory
