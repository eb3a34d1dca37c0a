// Stories that ask for a name: exact distances, one answer, the same for the same seed.
#include "model/data/recall_story.h"

#include <algorithm>
#include <set>

#include "model/data/story_sentences.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace recall_story_test {

// Bytes and a few merges: words of several tokens, names that begin with different ones.
Tokenizer small_tokenizer() {
  TokenizerParts parts;
  Token next = 0;
  for (; next < 256; ++next) parts.vocabulary.emplace_back(std::string(1, static_cast<char>(next)), next);
  const auto merge = [&](const std::string& left, const std::string& right) {
    parts.merges.emplace_back(left, right);
    parts.vocabulary.emplace_back(left + right, next++);
  };
  for (char letter = 'A'; letter <= 'Z'; ++letter) merge(" ", std::string(1, letter));
  for (const auto& [left, right] :
       {std::pair{"h", "e"}, {" ", "t"}, {" t", "he"}, {"e", "d"}, {"a", "l"}, {"al", "l"}}) {
    merge(left, right);
  }
  parts.added.emplace_back(kEndOfText, next);
  return Tokenizer::make(parts, "small");
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The places again, from the text alone.
void check(const RecallStory& story, const Tokenizer& tokenizer, std::size_t distance) {
  const std::string asked = joined({"The ", story.creature, " was called"});
  const std::string known = joined({"the ", story.creature, " was called"});
  const std::size_t query_end = story.text.find(asked) + asked.size();
  const std::size_t known_end = story.text.find(known) + known.size();
  EXPECT_EQ(occurrences(story.text, asked), 1u) << story.text;
  EXPECT_EQ(occurrences(story.text, known), 1u) << story.text;
  EXPECT_EQ(occurrences(story.text, joined({" ", story.name, "."})), 2u) << story.text;
  EXPECT_EQ(story.text.substr(query_end), joined({" ", story.name, "."}));
  EXPECT_LT(known_end, query_end);
  const std::size_t before_answer = tokenizer.encode_ordinary(story.text.substr(0, query_end)).size();
  const std::size_t before_name = tokenizer.encode_ordinary(story.text.substr(0, known_end)).size();
  EXPECT_EQ(story.query_at, before_answer - 1);
  EXPECT_EQ(story.name_at, before_name);
  EXPECT_EQ(story.query_at - story.name_at, distance);
  EXPECT_EQ(story.answer_end - story.query_at - 1,
            tokenizer.encode_ordinary(joined({" ", story.name})).size());
  auto tokens = tokenizer.encode_ordinary(story.text);
  tokens.push_back(*tokenizer.added_token(kEndOfText));
  EXPECT_EQ(story.tokens, tokens);
}

TEST(RecallStory, asks_at_exactly_the_distance) {
  for (const Tokenizer& tokenizer : {Tokenizer::bytes(), small_tokenizer()}) {
    const RecallStories stories(tokenizer, 1);
    for (const std::size_t distance : {100UL, 101UL, 102UL, 127UL, 300UL, 511UL, 777UL, 2048UL, 5001UL}) {
      for (std::uint64_t index = 0; index < 5; ++index) {
        const RecallStory story = stories.make(distance, index);
        EXPECT_EQ(story.distance(), distance);
        check(story, tokenizer, distance);
      }
    }
  }
}

TEST(RecallStory, is_a_function_of_seed_distance_and_index) {
  const Tokenizer tokenizer = Tokenizer::bytes();
  const RecallStories stories(tokenizer, 1);
  EXPECT_EQ(stories.make(400, 3).text, RecallStories(tokenizer, 1).make(400, 3).text);
  EXPECT_NE(stories.make(400, 3).text, stories.make(400, 4).text);
  EXPECT_NE(stories.make(400, 3).text, RecallStories(tokenizer, 2).make(400, 3).text);
}

TEST(RecallStory, has_distractors_where_there_is_room) {
  const Tokenizer tokenizer = Tokenizer::bytes();
  const RecallStories stories(tokenizer, 1);
  std::size_t most = 0;
  for (std::uint64_t index = 0; index < 20; ++index) {
    EXPECT_EQ(occurrences(stories.make(600, index, 0).text, ", and the "), 1u);
    most = std::max(most, occurrences(stories.make(600, index, 2).text, ", and the "));
  }
  EXPECT_EQ(most, 3u);
}

TEST(RecallStory, a_distance_too_short_names_the_next_that_can_be_had) {
  const Tokenizer tokenizer = Tokenizer::bytes();
  const RecallStories stories(tokenizer, 1);
  try {
    static_cast<void>(stories.make(3, 0));
    ADD_FAILURE();
  } catch (const theory::SpecError& error) {
    const std::string text = error.what();
    const std::string middle = "distance 3: sentences of this tokenizer cannot fill it; ";
    ASSERT_TRUE(text.starts_with(middle)) << text;
    const std::size_t least = std::stoul(text.substr(middle.size()));
    EXPECT_GT(least, 3u);
    EXPECT_LT(least, 60u);
  }
}

TEST(RecallStory, names_begin_with_different_tokens_where_the_tokenizer_allows) {
  const Tokenizer tokenizer = small_tokenizer();
  const RecallStories stories(tokenizer, 1);
  std::set<Token> first;
  for (const std::string& name : stories.names())
    first.insert(tokenizer.encode_ordinary(joined({" ", name})).front());
  EXPECT_EQ(first.size(), stories.names().size());
  EXPECT_GE(stories.names().size(), 15u);
  EXPECT_EQ(RecallStories(Tokenizer::bytes(), 1).names().size(), story_names().size());
}

TEST(StorySentences, mention_no_name_and_no_creature) {
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::string sentence = i % 3 == 0 ? short_sentence(random) : story_sentence(random);
    EXPECT_TRUE(sentence.size() > 3 && sentence.front() == ' ' && sentence.back() == '.') << sentence;
    EXPECT_EQ(sentence.find("  "), std::string::npos) << sentence;
    EXPECT_EQ(sentence.find("called"), std::string::npos) << sentence;
    for (const std::string_view name : story_names()) {
      EXPECT_EQ(sentence.find(joined({" ", name})), std::string::npos) << sentence;
    }
    for (const std::string_view creature : story_creatures()) {
      EXPECT_EQ(sentence.find(joined({" ", creature})), std::string::npos) << sentence;
    }
  }
}

TEST(StorySentences, texts_are_as_long_as_asked_and_answer_their_question) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const std::size_t words = 60 + 20 * seed;
    const std::string text = story_text(words, random);
    const auto count = static_cast<std::size_t>(std::ranges::count(text, ' ')) + 1;
    EXPECT_GE(count, words);
    EXPECT_LE(count, words + 25);
    const std::string asked = "Do you remember? The ";
    const std::string answer = text.substr(text.find(asked) + asked.size());
    EXPECT_NE(text.find(joined({"the ", answer})), std::string::npos) << text;
  }
}

}  // namespace recall_story_test
}  // namespace gpe::model
