#include "model/data/story_sentences.h"
// Tests: tests/model/data/recall_story_test.cpp
#include <algorithm>
#include <array>

namespace gpe::model {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 64> kNames = {
    "Lily", "Tom",  "Ben",  "Mia",   "Max",   "Sue",   "Tim",   "Sam",    "Anna",  "Jack",  "Lucy",
    "Bob",  "Amy",  "Leo",  "Spot",  "Kitty", "Daisy", "Rosie", "Molly",  "Billy", "Emma",  "Sara",
    "Jane", "Mary", "John", "Peter", "Joe",   "Zoe",   "Ella",  "Nina",   "Polly", "Teddy", "Sally",
    "Fred", "Jill", "Mark", "Dan",   "Kim",   "Finn",  "Ruby",  "Oscar",  "Toby",  "Milo",  "Luna",
    "Ivy",  "Hugo", "Otto", "Felix", "Clara", "Edgar", "Flora", "Gus",    "Hazel", "Iris",  "Jasper",
    "Kate", "Lola", "Ned",  "Olive", "Pip",   "Quinn", "Rex",   "Walter", "Victor"};

constexpr std::array<std::string_view, 16> kCreatures = {"dragon", "rabbit", "fox",   "bear", "owl",  "mouse",
                                                         "frog",   "duck",   "horse", "goat", "lion", "crow",
                                                         "whale",  "robot",  "snail", "giant"};

constexpr std::array<std::string_view, 31> kGirls = {
    "Lily", "Mia",  "Sue",   "Anna",  "Lucy",  "Amy",  "Kitty", "Daisy", "Rosie", "Molly", "Emma",
    "Sara", "Jane", "Mary",  "Zoe",   "Ella",  "Nina", "Polly", "Sally", "Jill",  "Kim",   "Ruby",
    "Luna", "Ivy",  "Clara", "Flora", "Hazel", "Iris", "Kate",  "Lola",  "Olive"};

constexpr std::array<std::string_view, 20> kRooms = {
    "garden", "park",   "castle", "cave",    "forest", "kitchen", "barn", "tower", "tent", "lake",
    "museum", "market", "zoo",    "library", "shop",   "attic",   "yard", "river", "car",  "boat"};

constexpr std::array<std::string_view, 16> kLost = {"ball", "hat",   "drum", "kite", "lamp", "bell",
                                                    "book", "cup",   "key",  "doll", "coin", "spoon",
                                                    "rope", "glove", "shoe", "ring"};

constexpr std::array<std::string_view, 12> kPeople = {
    "The girl", "The boy",      "The farmer",    "The old man", "The baker",   "Her mom",
    "His dad",  "The children", "The old woman", "The teacher", "The captain", "Grandma"};

constexpr std::array<std::string_view, 14> kActions = {
    "found",   "lost",   "painted", "carried", "looked at", "wanted",     "made",
    "dropped", "shared", "hid",     "bought",  "fixed",     "dreamed of", "gave away"};

constexpr std::array<std::string_view, 12> kAdjectives = {
    "red", "small", "shiny", "old", "soft", "big", "heavy", "blue", "funny", "clean", "broken", "warm"};

constexpr std::array<std::string_view, 16> kThings = {"ball", "box",  "hat",     "cake",   "boat", "kite",
                                                      "lamp", "drum", "book",    "basket", "key",  "bell",
                                                      "rope", "cup",  "blanket", "wagon"};

constexpr std::array<std::string_view, 14> kPlaces = {
    "in the park",      "near the river", "under the big tree", "at home",       "behind the house",
    "on the hill",      "by the sea",     "in the garden",      "at the market", "in the forest",
    "across the field", "at school",      "on the bridge",      "in the kitchen"};

constexpr std::array<std::string_view, 10> kTimes = {
    "One morning,",      "After lunch,", "Later that day,", "In the evening,", "The next day,",
    "When it was dark,", "Before bed,",  "Every Sunday,",   "At noon,",        "Soon after,"};

constexpr std::array<std::string_view, 10> kFeelings = {"happy",  "sad",   "tired", "proud", "surprised",
                                                        "hungry", "brave", "kind",  "quiet", "very glad"};

constexpr std::array<std::string_view, 12> kShort = {" It rained.",
                                                     " The sun came out.",
                                                     " They laughed.",
                                                     " Hours went by.",
                                                     " It was late.",
                                                     " Everyone smiled.",
                                                     " Yes.",
                                                     " The wind was cold.",
                                                     " They all sat down.",
                                                     " It snowed all day long.",
                                                     " Then they went home.",
                                                     " Nobody said a word."};

constexpr std::array<std::string_view, 4> kOpenings = {
    " Once upon a time, in a far land, there was a village.", " Long ago, there was a town by the sea.",
    " This is a story about a long summer.", " One day, something strange happened."};

std::string lower_first(std::string_view words) {
  std::string text(words);
  if (text.front() == 'T' || text.front() == 'H') text.front() = static_cast<char>(text.front() - 'A' + 'a');
  return text;
}

}  // namespace

Words story_names() { return kNames; }
Words story_creatures() { return kCreatures; }

std::string story_sentence(Random& random) {
  const std::string who(random.of(kPeople));
  const std::string thing = std::string(random.of(kAdjectives)) + " " + std::string(random.of(kThings));
  const std::string place(random.of(kPlaces));
  const std::string did(random.of(kActions));
  const std::string time(random.of(kTimes));
  const std::string feeling(random.of(kFeelings));
  switch (random.below(8)) {
    case 0:
      return " " + who + " " + did + " the " + thing + " " + place + ".";
    case 1:
      return " " + time + " " + lower_first(who) + " " + did + " a " + thing + ".";
    case 2:
      return " There was a " + thing + " " + place + ", and it was " + std::string(random.of(kAdjectives)) +
             ".";
    case 3:
      return " " + who + " felt " + feeling + " and went to sleep " + place + ".";
    case 4:
      return " " + time + " someone played " + place + " with a " + thing + " until it was time to go.";
    case 5:
      return " \"Look at the " + thing + "!\" said " + lower_first(who) + ".";
    case 6:
      return " " + who + " felt " + feeling + ".";
    default:
      return " They walked " + place + " and saw a " + thing + ".";
  }
}

std::string short_sentence(Random& random) { return std::string(random.of(kShort)); }
std::string opening_sentence(Random& random) { return std::string(random.of(kOpenings)); }

Words subjects(StoryQuestion asked) {
  if (asked == StoryQuestion::place) return kLost;
  return kCreatures;
}

Words answers(StoryQuestion asked) {
  if (asked == StoryQuestion::place) return kRooms;
  return kNames;
}

bool is_girl(std::string_view name) { return std::ranges::find(kGirls, name) != kGirls.end(); }

std::string introduction(StoryQuestion asked, std::string_view subject, std::string_view answer) {
  const std::string who(subject);
  if (asked != StoryQuestion::name) return question(asked, subject) + " " + std::string(answer) + ".";
  return " There was " + std::string(who == "owl" ? "an " : "a ") + who + ", and the " + who +
         " was called " + std::string(answer) + ".";
}

std::string question(StoryQuestion asked, std::string_view subject) {
  const std::string who(subject);
  if (asked == StoryQuestion::told_name) return " The " + who + "'s name was";
  if (asked == StoryQuestion::place) return " The " + who + " was in the";
  return " Do you remember? The " + who + " was called";
}

std::string story_text(std::size_t words, Random& random) {
  const std::size_t first = random.below(kCreatures.size());
  const std::size_t second = (first + 1 + random.below(kCreatures.size() - 1)) % kCreatures.size();
  const std::size_t name = random.below(kNames.size());
  const std::size_t other = (name + 1 + random.below(kNames.size() - 1)) % kNames.size();
  std::string text = opening_sentence(random).substr(1) +
                     introduction(StoryQuestion::name, kCreatures[first], kNames[name]) +
                     introduction(StoryQuestion::name, kCreatures[second], kNames[other]);
  const bool asks_second = random.below(2) == 1;
  const std::string end = question(StoryQuestion::name, kCreatures[asks_second ? second : first]) + " " +
                          std::string(kNames[asks_second ? other : name]) + ".";
  const auto count = [](const std::string& part) {
    return static_cast<std::size_t>(std::ranges::count(part, ' '));
  };
  for (std::size_t so_far = count(text) + count(end) + 1; so_far < words;) {
    const std::string sentence = random.below(8) == 0 ? short_sentence(random) : story_sentence(random);
    text += sentence;
    so_far += count(sentence);
  }
  return text + end;
}

}  // namespace gpe::model
