#include "checks/audit/formula_text.h"
// Tests: tests/checks/audit/audit_formula_test.cpp
#include <algorithm>
#include <cctype>

#include "theory/expression/expr_parse.h"

namespace gpe::checks {

namespace {
constexpr std::size_t kMaxCharacters = 10000;
constexpr std::size_t kMaxDepth = 200;
}  // namespace

bool is_open(char c) { return c == '(' || c == '{'; }
bool is_close(char c) { return c == ')' || c == '}'; }

void fail_at(TextSpan piece, const std::string& message) {
  throw theory::ParseError(piece.begin, std::max(piece.end, piece.begin + 1), message);
}

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_name_character(char c) {
  return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

FormulaText::FormulaText(std::string text) : text_(std::move(text)) {
  std::ranges::replace_if(
      text_, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  if (text_.size() > kMaxCharacters)
    fail_at({kMaxCharacters, text_.size()},
            "a formula of more than " + std::to_string(kMaxCharacters) + " characters");
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (is_open(text_[i]) && ++depth > kMaxDepth)
      fail_at({i, i + 1}, "brackets deeper than " + std::to_string(kMaxDepth));
    if (is_close(text_[i]) && depth-- == 0) fail_at({i, i + 1}, "a closing bracket without an opening one");
  }
  if (depth != 0) throw theory::ParseError(text_.size(), text_.size(), "expected a closing bracket");
}

TextSpan FormulaText::trimmed(TextSpan p) const {
  while (p.begin < p.end && text_[p.begin] == ' ') ++p.begin;
  while (p.end > p.begin && text_[p.end - 1] == ' ') --p.end;
  return p;
}

std::string FormulaText::str(TextSpan p) const {
  p = trimmed(p);
  std::string result;
  for (std::size_t i = p.begin; i < p.end; ++i) {
    if (text_[i] != ' ' || result.back() != ' ') result += text_[i];
  }
  return result;
}

bool FormulaText::word_at(std::size_t i, TextSpan p, std::string_view word) const {
  if (i + word.size() > p.end || text_.compare(i, word.size(), word) != 0) return false;
  if (!is_name_start(word.front())) return true;
  return (i == p.begin || !is_name_character(text_[i - 1])) &&
         (i + word.size() == p.end || !is_name_character(text_[i + word.size()]));
}

std::size_t FormulaText::closing(std::size_t open) const {
  std::size_t depth = 0;
  for (std::size_t i = open;; ++i) {
    if (is_open(text_[i])) ++depth;
    if (is_close(text_[i]) && --depth == 0) return i;
  }
}

std::vector<TextSpan> FormulaText::split(TextSpan p, std::string_view separator) const {
  std::vector<TextSpan> pieces;
  std::size_t depth = 0;
  std::size_t begin = p.begin;
  for (std::size_t i = p.begin; i < p.end; ++i) {
    if (is_open(text_[i])) ++depth;
    if (is_close(text_[i])) --depth;
    if (depth != 0) continue;
    if (word_at(i, p, "for") && is_name_start(separator.front())) break;
    if (!is_name_start(separator.front()) && separator != ":" && separator != "," && word_at(i, p, "for"))
      break;
    if (!word_at(i, p, separator)) continue;
    if (separator == "=>" && i > p.begin && text_[i - 1] == '<') continue;
    pieces.push_back({begin, i});
    begin = i + separator.size();
    i = begin - 1;
  }
  pieces.push_back({begin, p.end});
  return pieces;
}

}  // namespace gpe::checks
