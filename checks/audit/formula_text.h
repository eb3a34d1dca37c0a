// The text of a claim in pieces: places outside brackets, words, and messages that point at them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpe::checks {

/// Bytes [begin, end) of the whole text, so that messages keep their places.
struct TextSpan {
  std::size_t begin;
  std::size_t end;
};

/// @throws theory::ParseError
[[noreturn]] void fail_at(TextSpan piece, const std::string& message);

bool is_open(char c);  // a bracket, round or curly
bool is_close(char c);
bool is_name_start(char c);
bool is_name_character(char c);

class FormulaText {
 public:
  /// @throws theory::ParseError  for brackets that do not match
  explicit FormulaText(std::string text);

  char operator[](std::size_t i) const { return text_[i]; }
  std::size_t size() const { return text_.size(); }
  std::string substr(std::size_t begin, std::size_t count) const { return text_.substr(begin, count); }
  std::size_t find(std::string_view what, std::size_t from) const { return text_.find(what, from); }

  TextSpan trimmed(TextSpan p) const;
  std::string str(TextSpan p) const;  ///< with single spaces
  std::string_view view(TextSpan p) const { return std::string_view(text_).substr(p.begin, p.end - p.begin); }
  /// Whether the word (or sign) stands at i, not as part of a longer word.
  bool word_at(std::size_t i, TextSpan p, std::string_view word) const;
  /// The place of the bracket that closes the one at `open`.
  std::size_t closing(std::size_t open) const;
  /// The pieces between separators outside brackets and outside the body of a quantifier.
  std::vector<TextSpan> split(TextSpan p, std::string_view separator) const;

 private:
  std::string text_;
};

}  // namespace gpe::checks
