#include "model/data/split_words.h"
// Tests: tests/model/data/tokenizer_test.cpp, tests/model/tokenizer_test.py
#include <array>
#include <cstddef>

#include "model/data/character_class.h"

namespace gpe::model {
namespace {

// Length of the contraction at the beginning ('s, 't, 're, ...), 0 when there is none.
std::size_t contraction(std::string_view text) {
  constexpr std::array<std::string_view, 7> kContractions = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
  for (const std::string_view each : kContractions) {
    if (text.starts_with(each)) return each.size();
  }
  return 0;
}

// Bytes from `begin` on whose characters are all of this class.
std::size_t run(std::string_view text, std::size_t begin, CharacterClass kind) {
  std::size_t end = begin;
  while (end < text.size()) {
    const Character character = first_character(text.substr(end));
    if (character.kind != kind) break;
    end += character.length;
  }
  return end - begin;
}

// \s+(?!\S)|\s+ : the whole run at the end of the text; before a word all but its last character, which a
// space gives to the word, unless it is the only one.
std::size_t white_space(std::string_view text) {
  const std::size_t whole = run(text, 0, CharacterClass::space);
  if (whole == text.size()) return whole;
  std::size_t before_last = 0;
  for (std::size_t at = 0; at < whole; at += first_character(text.substr(at)).length) before_last = at;
  return before_last == 0 ? whole : before_last;
}

std::size_t first_word(std::string_view text) {
  if (const std::size_t length = contraction(text); length != 0) return length;
  const std::size_t space = text.front() == ' ' && text.size() > 1 ? 1 : 0;
  const CharacterClass kind = first_character(text.substr(space)).kind;
  if (kind != CharacterClass::space) return space + run(text, space, kind);
  return white_space(text);
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    words.push_back(text.substr(0, first_word(text)));
    text.remove_prefix(words.back().size());
  }
  return words;
}

}  // namespace gpe::model
