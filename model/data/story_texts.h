// Stories of others, from a file: their sentences, and longer stories that are made of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/data/random.h"

namespace gpe::model {

class StoryTexts {
 public:
  /// Stories end with <|endoftext|>. They are used in an order that depends on the seed.
  /// @throws theory::SpecError  the file cannot be read, or has no sentence
  StoryTexts(const std::filesystem::path& file, std::uint64_t seed);

  /// All of them, in their order, each after a space; none has a line break.
  std::vector<std::string> sentences() const;

  /// At least `words` words: one story after the other as episodes of one, about the same children. Later
  /// episodes lack the sentence that introduces theirs. The next story continues with the stories after
  /// these; after the last comes the first.
  std::string make(std::size_t words, Random& random);

  /// How many of the file's stories were used so far, those used twice counted twice.
  std::size_t used() const { return used_; }

 private:
  std::vector<std::vector<std::string>> stories_;  // sentences, but for the first with the space before them
  std::size_t used_ = 0;
};

}  // namespace gpe::model
