#include "theory/expression/tokens.h"

#include <cctype>
#include <string>

#include "theory/expression/habits.h"

namespace gpe::theory {

namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Bytes of the UTF-8 character that starts at `text`.
std::size_t character_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) ++length;
  return length;
}

std::size_t number_length(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && is_digit(text[i])) ++i;
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (i < text.size() && is_digit(text[i])) ++i;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t k = i + 1;
    if (k < text.size() && (text[k] == '+' || text[k] == '-')) ++k;
    if (k < text.size() && is_digit(text[k])) {
      while (k < text.size() && is_digit(text[k])) ++k;
      i = k;
    }
  }
  return i;
}

}  // namespace

std::vector<Token> tokenize(std::string_view text, const Refuse& refuse) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++at;
      continue;
    }
    const std::string_view rest = text.substr(at);
    std::size_t length = 1;
    Token::Kind kind = Token::Kind::symbol;
    if (is_digit(c) || (c == '.' && rest.size() > 1 && is_digit(rest[1]))) {
      kind = Token::Kind::number;
      length = number_length(rest);
    } else if (starts_name(c)) {
      kind = Token::Kind::name;
      while (length < rest.size() && (starts_name(rest[length]) || is_digit(rest[length]))) ++length;
    } else if (rest.starts_with("<=") || rest.starts_with(">=") || rest.starts_with("==") ||
               rest.starts_with("!=")) {
      length = 2;
    } else if (rest.starts_with("**")) {
      refuse(at, at + 2, "'**' is not an operator here; write '^' for a power");
    } else if (rest.starts_with("//")) {
      refuse(at, at + 2, "'//' is not an operator here; write floor(x/y) for x//y");
    } else if (std::string_view("+-*/^(),<>=").find(c) == std::string_view::npos) {
      length = character_length(rest);
      const bool printable = static_cast<unsigned char>(c) >= ' ' && c != 0x7F;
      if (!printable) refuse(at, at + length, "unexpected control character");
      const std::string found(rest.substr(0, length));
      const std::string answer(answer_to(Habit::character, found));
      refuse(at, at + length, "unexpected character '" + found + "'" + (answer.empty() ? "" : "; " + answer));
    }
    tokens.push_back({kind, rest.substr(0, length), at});
    at += length;
  }
  tokens.push_back({Token::Kind::end, text.substr(text.size()), text.size()});
  return tokens;
}

}  // namespace gpe::theory
