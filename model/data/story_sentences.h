// Sentences of simple stories, made from lists of words.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/data/random.h"

namespace gpe::model {

/// Names that a creature can have, and creatures; all different.
std::span<const std::string_view> story_names();
std::span<const std::string_view> story_creatures();

/// A sentence about people, places and things; none of the names or creatures occurs in it. Begins with a
/// space and a capital, ends with a full stop: so the tokens of joined sentences are those of the sentences,
/// joined.
std::string story_sentence(Random& random);
/// One of few words, to fill what is left.
std::string short_sentence(Random& random);

std::string opening_sentence(Random& random);
/// " There was a CREATURE, and the CREATURE was called NAME."; the name begins at its end less " NAME." .
std::string introduction(std::string_view creature, std::string_view name);
/// " Do you remember? The CREATURE was called", without the name that follows.
std::string question(std::string_view creature);

/// A whole story of about `words` words (at least about 40): an opening, two creatures and their names,
/// sentences, and a question for one of the names with its answer. Text for training, or for a vocabulary.
std::string story_text(std::size_t words, Random& random);

}  // namespace gpe::model
