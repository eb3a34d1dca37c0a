// A story that names a creature and asks for the name at an exact distance in tokens; or tells the place of a
// thing, and asks for the place.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/data/random.h"
#include "model/data/story_sentences.h"
#include "model/data/tokenizer.h"

namespace gpe::model {

struct RecallStory {
  std::string text;
  std::vector<Token> tokens;  ///< of the text, and the end token
  std::string creature;       ///< or the thing
  std::string name;           ///< or the place
  std::size_t name_at = 0;    ///< the first token of the name, where it is introduced
  std::size_t query_at =
      0;  ///< the token after which the name is asked for; the answer begins one further on
  std::size_t answer_end = 0;  ///< one past the answer's last token

  /// That of the key that knows from the query that asks.
  std::size_t distance() const { return query_at - name_at; }
};

class RecallStories {
 public:
  /// @param told  sentences of other stories in their order, each after one space, which stand between in
  /// place of made ones; those that have a subject or an answer are left out
  /// @throws theory::SpecError  the tokenizer has no end token, or does not keep words apart at spaces
  RecallStories(const Tokenizer& tokenizer, std::uint64_t seed, StoryQuestion asked = StoryQuestion::name,
                const std::vector<std::string>& told = {});

  /// Story `index` of this distance: a function of the seed, the distance and the index. Other creatures with
  /// other names are introduced on the way, up to `distractors`, as far as there is room.
  /// @throws theory::SpecError  when sentences cannot fill this distance: it says which is the least that
  /// they can
  RecallStory make(std::size_t distance, std::uint64_t index, int distractors = 2) const;

  /// Names, or places, that stories draw from: those that begin with different tokens, so that the first
  /// token tells them apart.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::string filler(std::size_t tokens, Random& random) const;
  std::size_t count(std::string_view text) const { return tokenizer_->encode_ordinary(text).size(); }
  bool can_fill(std::size_t tokens) const { return tokens >= fillable_.size() || fillable_[tokens]; }

  const Tokenizer* tokenizer_;
  std::uint64_t seed_;
  StoryQuestion asked_;
  Token end_of_text_ = 0;
  std::vector<std::string> names_;
  std::vector<std::string> told_;
  std::map<std::size_t, std::vector<std::string>> by_length_;  // sentences for the last tokens
  std::vector<bool> fillable_;                                 // by number of tokens; above its end all are
};

}  // namespace gpe::model
