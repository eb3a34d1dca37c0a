#include "model/data/character_class.h"
// Tests: tests/model/tokenizer_test.py
#include <algorithm>
#include <cassert>
#include <span>

namespace gpe::model {
namespace {

struct Range {
  char32_t first, last;
};

#include "model/data/character_class_table.inc"

bool contains(std::span<const Range> ranges, char32_t character) {
  const auto after = std::ranges::upper_bound(ranges, character, {}, &Range::first);
  return after != ranges.begin() && character <= std::prev(after)->last;
}

bool continues(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
}

// Length of the sequence at the beginning of the text, or 0 when it is none: overlong, a surrogate, beyond
// U+10FFFF, or cut off (The Unicode Standard 16.0, table 3-7).
std::size_t decode(std::string_view text, char32_t& character) {
  const auto byte = [&](std::size_t at) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at]));
  };
  const char32_t lead = byte(0);
  character = lead;
  if (lead < 0x80) return 1;
  std::size_t length = lead >= 0xE0 ? 3 : 2;
  if (lead >= 0xF0) length = 4;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  character = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (!continues(text, i)) return 0;
    character = (character << 6U) | (byte(i) & 0x3FU);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  return character < kSmallest[length] || surrogate || character > 0x10FFFF ? 0 : length;
}

}  // namespace

CharacterClass character_class(char32_t character) {
  if (contains(kLetters, character)) return CharacterClass::letter;
  if (contains(kNumbers, character)) return CharacterClass::number;
  if (contains(kSpaces, character)) return CharacterClass::space;
  return CharacterClass::other;
}

Character first_character(std::string_view text) {
  assert(!text.empty());
  char32_t character = 0;
  const std::size_t length = decode(text, character);
  if (length == 0) return {};
  return {.kind = character_class(character), .length = length};
}

}  // namespace gpe::model
