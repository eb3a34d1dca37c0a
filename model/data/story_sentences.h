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

/// Whether the name is a girl's.
bool is_girl(std::string_view name);

/// A sentence about people, places and things; none of the names or creatures occurs in it. Begins with a
/// space and a capital, ends with a full stop: so the tokens of joined sentences are those of the sentences,
/// joined.
std::string story_sentence(Random& random);
/// One of few words, to fill what is left.
std::string short_sentence(Random& random);

std::string opening_sentence(Random& random);

/// What a story asks for: the name of a creature, in sentences of its own or as stories tell it, or the place
/// of a thing.
enum class StoryQuestion { name, told_name, place };
/// What has an answer, and the answers; all different.
std::span<const std::string_view> subjects(StoryQuestion asked);
std::span<const std::string_view> answers(StoryQuestion asked);
/// " There was a CREATURE, and the CREATURE was called NAME.", " The CREATURE's name was NAME." or " The
/// THING was in the PLACE."; the answer begins at its end less " ANSWER." .
std::string introduction(StoryQuestion asked, std::string_view subject, std::string_view answer);
/// " Do you remember? The CREATURE was called", or the introduction, without the answer that follows.
std::string question(StoryQuestion asked, std::string_view subject);

/// A whole story of about `words` words (at least about 40): an opening, two creatures and their names,
/// sentences, and a question for one of the names with its answer. Text for training, or for a vocabulary.
std::string story_text(std::size_t words, Random& random);

}  // namespace gpe::model
