// The tokens of an expression's text. Tests: tests/theory/score/parse_error_test.cpp
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace gpe::theory {

struct Token {
  enum class Kind { number, name, symbol, end };
  Kind kind;
  std::string_view text;
  std::size_t begin;
  std::size_t end() const { return begin + text.size(); }
};

/// Throws what is wrong with the bytes [begin, end).
using Refuse = std::function<void(std::size_t begin, std::size_t end, const std::string& message)>;

/// The tokens, and one that stands for the end. A character that no expression has is refused.
std::vector<Token> tokenize(std::string_view text, const Refuse& refuse);

}  // namespace gpe::theory
