// What GPT-2's splitting of text into words asks of a character: is it a letter, a number, white space?
#pragma once

#include <cstddef>
#include <string_view>

namespace gpe::model {

enum class CharacterClass { letter, number, space, other };

/// \p{L}, \p{N}, \s (White_Space) or none of them, in Unicode 16.0.
CharacterClass character_class(char32_t character);

struct Character {
  CharacterClass kind = CharacterClass::other;
  std::size_t length = 1;  ///< bytes
};

/// The first character of a text in UTF-8. A byte that belongs to no valid sequence is a character of its
/// own, of class `other`, so that any bytes are a text.
/// @pre  text is not empty
Character first_character(std::string_view text);

}  // namespace gpe::model
