#include "theory/source/printable.h"

#include <algorithm>
#include <array>

namespace gpe::theory {

namespace {

// The code point; nothing is checked.
char32_t code_of(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character.front());
  if (character.size() == 1) return lead;
  char32_t code = lead & (0xFFU >> (character.size() + 1));
  for (const char c : character.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  return code;
}

std::size_t length_by_lead(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead >= 0xF5) return 0;
  if (lead < 0xE0) return 2;
  return lead < 0xF0 ? 3 : 4;
}

bool is_byte(std::string_view character) {
  return character.size() == 1 && static_cast<unsigned char>(character.front()) >= 0x80;
}

std::string hex(char32_t value, int digits) {
  std::string result;
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    result += "0123456789abcdef"[(value >> static_cast<unsigned>(shift)) & 15U];
  return result;
}

std::string escape_of(std::string_view character) {
  switch (character.front()) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      break;
  }
  const char32_t code = code_of(character);
  if (is_byte(character)) return "\\x" + hex(code, 2);
  if (code < 0x10000) return "\\u" + hex(code, 4);
  const char32_t rest = code - 0x10000;  // as JSON writes it: two halves
  return "\\u" + hex(0xD800 + (rest >> 10U), 4) + "\\u" + hex(0xDC00 + (rest & 0x3FFU), 4);
}

// The bytes of a colour at the beginning: ESC [ digits and semicolons m.
std::size_t color_length(std::string_view text) {
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && end < 16 && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

std::string_view first_character(std::string_view text) {
  const std::size_t length = length_by_lead(static_cast<unsigned char>(text.front()));
  if (length < 2 || text.size() < length) return text.substr(0, 1);
  const std::string_view character = text.substr(0, length);
  const bool continued = std::ranges::all_of(
      character.substr(1), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; });
  if (!continued) return text.substr(0, 1);
  const char32_t code = code_of(character);
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return overlong || surrogate || code > 0x10FFFF ? text.substr(0, 1) : character;
}

bool is_visible(std::string_view character) {
  if (is_byte(character)) return false;
  const char32_t code = code_of(character);
  struct Range {
    char32_t first, last;
  };
  static constexpr std::array<Range, 10> hidden{{{0, 0x1F},
                                                 {0x7F, 0x9F},
                                                 {0x61C, 0x61C},
                                                 {0x180E, 0x180E},
                                                 {0x200B, 0x200F},
                                                 {0x2028, 0x202E},
                                                 {0x2060, 0x206F},
                                                 {0xFEFF, 0xFEFF},
                                                 {0xFFF9, 0xFFFB},
                                                 {0xE0000, 0xE0FFF}}};
  return std::ranges::none_of(hidden,
                              [&](const Range& range) { return code >= range.first && code <= range.last; });
}

std::string printable(std::string_view text, std::size_t most) {
  std::string result;
  for (std::size_t characters = 0; !text.empty(); ++characters) {
    if (characters == most) return result + "…";
    const std::string_view character = first_character(text);
    result += is_visible(character) ? std::string(character) : escape_of(character);
    text.remove_prefix(character.size());
  }
  return result;
}

std::string printable_lines(std::string_view text, bool color) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    std::string_view kept = first_character(text);
    if (const std::size_t length = color ? color_length(text) : 0; length > 0) {
      kept = text.substr(0, length);
      result += kept;
    } else if (kept == "\n" || kept == "\t" || is_visible(kept)) {
      result += kept;
    } else {
      result += escape_of(kept);
    }
    text.remove_prefix(kept.size());
  }
  return result;
}

std::size_t unfinished(std::string_view text) {
  for (std::size_t length = 1; length <= std::min<std::size_t>(text.size(), 3); ++length) {
    const auto byte = static_cast<unsigned char>(text[text.size() - length]);
    if ((byte & 0xC0U) == 0x80U) continue;
    return length < length_by_lead(byte) ? length : 0;
  }
  return 0;
}

std::string printable_message(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n  "), text.size());
    if (!result.empty()) result += "\n  ";
    result += printable(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 3));
  }
  return result;
}

std::string quoted_toml(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

}  // namespace gpe::theory
