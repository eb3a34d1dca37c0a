// Stories of others, joined: sentences, children who stay the same, and lengths.
#include "model/data/story_texts.h"

#include <algorithm>
#include <set>

#include "model/data/recall_story.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gpe::model {
namespace story_texts_test {

constexpr std::string_view kStories =
    "Once upon a time, there was a girl named Lily. Lily met Tom. \"Come here, Mr. Fox!\" said Tom. "
    "They\n\nran 3.5 miles.\n<|endoftext|>\n"
    "One day, Max saw Lily's dog. Was it big? \"Yes!\" they said. This one has no end<|endoftext|>";

StoryTexts texts_of(std::string_view text) {
  const tests::TemporaryFolder folder;
  return {folder.write("stories.txt", text), 1};
}

TEST(StoryTexts, sentences_are_those_of_the_file) {
  const std::vector<std::string> found = texts_of(kStories).sentences();
  const std::set<std::string> expected = {" Once upon a time, there was a girl named Lily.",
                                          " Lily met Tom.",
                                          " \"Come here, Mr. Fox!\" said Tom.",
                                          " They ran 3.5 miles.",
                                          " One day, Max saw Lily's dog.",
                                          " Was it big?",
                                          " \"Yes!\" they said."};
  EXPECT_EQ(std::set<std::string>(found.begin(), found.end()), expected);
  EXPECT_EQ(found.size(), expected.size());
}

TEST(StoryTexts, episodes_are_about_the_same_children) {
  StoryTexts texts = texts_of(kStories);
  Random random(3);
  const std::string story = texts.make(400, random);
  std::set<std::string_view> girls;
  std::set<std::string_view> boys;
  for (const std::string_view name : story_names())
    if (story.find(name) != std::string::npos) (is_girl(name) ? girls : boys).insert(name);
  EXPECT_EQ(girls.size(), 1u) << story;
  EXPECT_EQ(boys.size(), 1u) << story;
  EXPECT_LE(story.find("named", story.find("named") + 1), std::string::npos);
  EXPECT_EQ(story.find("Once upon", 1), std::string::npos) << "one beginning";
  EXPECT_GT(texts.used(), 10u);
  const auto words = std::ranges::count(story, ' ') + std::ranges::count(story, '\n');
  EXPECT_GE(words, 390);
  EXPECT_LE(words, 440);
}

TEST(StoryTexts, without_a_sentence_is_refused) {
  const std::string message = tests::refusal([] { texts_of("no end <|endoftext|> nor here"); });
  EXPECT_NE(message.find("has no sentence"), std::string::npos) << message;
}

TEST(StoryTexts, stories_of_others_ask_for_names_and_places_at_exact_distances) {
  const std::vector<std::string> told = {" It was a sunny day.", " She saw a rabbit.",   " Tom ran home.",
                                         " They were happy.",    " It was in the park.", " He sang.",
                                         " The Park was big.",   " A Rabbit ran."};
  const Tokenizer bytes = Tokenizer::bytes();
  for (const StoryQuestion asked : {StoryQuestion::told_name, StoryQuestion::place}) {
    const RecallStories stories(bytes, 1, asked, told);
    for (const std::size_t distance : {200UL, 777UL, 3000UL}) {
      const RecallStory story = stories.make(distance, 5, 3);
      EXPECT_EQ(story.distance(), distance);
      const std::string known = introduction(asked, story.creature, story.name);
      EXPECT_NE(story.text.find(known), std::string::npos);
      EXPECT_TRUE(story.text.ends_with(known)) << "asked as it was told";
      const std::string_view told_of =
          asked == StoryQuestion::place ? " It was in the park." : " She saw a rabbit.";
      EXPECT_EQ(story.text.find(told_of), std::string::npos) << "a sentence with a subject or an answer";
      const std::string_view large = asked == StoryQuestion::place ? " The Park was big." : " A Rabbit ran.";
      EXPECT_EQ(story.text.find(large), std::string::npos) << "or with one in large letters";
      EXPECT_TRUE(distance == 200 || story.text.find(" They were happy.") != std::string::npos) << story.text;
    }
  }
}

}  // namespace story_texts_test
}  // namespace gpe::model
