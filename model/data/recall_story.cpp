#include "model/data/recall_story.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "theory/source/spec_error.h"

namespace gpe::model {
namespace {

using theory::SpecError;

constexpr std::uint64_t kPoolStream = ~std::uint64_t{0};
constexpr std::uint64_t kMaxStories = std::uint64_t{1} << 32U;  // of one distance, in a stream's number
constexpr int kPool = 400;
constexpr std::size_t kFillBound = 512;
constexpr std::size_t kLastTold = 48;  // tokens; the sentences of these are chosen by their length

std::vector<bool> fillable_counts(const std::map<std::size_t, std::vector<std::string>>& by_length) {
  std::vector<bool> fillable(kFillBound, false);
  fillable[0] = true;
  for (std::size_t tokens = 1; tokens < kFillBound; ++tokens) {
    fillable[tokens] = std::ranges::any_of(by_length, [&](const auto& entry) {
      return entry.first <= tokens && fillable[tokens - entry.first];
    });
  }
  return fillable;
}

std::string in_small_letters(std::string_view word) {
  std::string result(word);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Whether a word of the sentence, perhaps with a capital at its beginning, is one that stories ask for, or
// about; "Will" is a name, and "will" is not.
bool tells(StoryQuestion asked, std::string_view sentence) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t at = 0; at < sentence.size();) {
    std::size_t end = at;
    while (end < sentence.size() && is_letter(sentence[end])) ++end;
    const std::string_view word = sentence.substr(at, end - at);
    const std::string small = in_small_letters(word);
    const auto is_it = [&](std::string_view known) { return known == word || known == small; };
    for (const auto words : {subjects(asked), answers(asked)})
      if (std::ranges::any_of(words, is_it)) return true;
    at = std::max(end, at + 1);
  }
  return false;
}

}  // namespace

RecallStories::RecallStories(const Tokenizer& tokenizer, std::uint64_t seed, StoryQuestion asked,
                             const std::vector<std::string>& told)
    : tokenizer_(&tokenizer), seed_(seed), asked_(asked) {
  const auto end = tokenizer.added_token(kEndOfText);
  if (!end) throw SpecError("the tokenizer has no token " + std::string(kEndOfText));
  end_of_text_ = *end;
  Random random(seed, kPoolStream);
  std::set<std::string> pool;
  std::ranges::copy_if(told, std::back_inserter(told_), [&](const std::string& sentence) {
    return !tells(asked, sentence) && count(sentence) < kFillBound / 4;
  });
  if (!told.empty() && told_.empty()) throw SpecError("no sentence is free of what is asked for");
  for (int i = 0; i < kPool; ++i) {
    const bool is_short = i % 8 == 0;
    if (told_.empty()) pool.insert(is_short ? short_sentence(random) : story_sentence(random));
    if (!told_.empty()) pool.insert(is_short ? short_sentence(random) : random.of(told_));
  }
  for (const std::string& sentence : pool) by_length_[count(sentence)].push_back(sentence);
  fillable_ = fillable_counts(by_length_);
  // Sentences are shorter than half the bound: what is left when whole ones were taken off lies in its upper
  // half.
  if (by_length_.rbegin()->first >= kFillBound / 2 ||
      std::find(fillable_.begin() + kFillBound / 2, fillable_.end(), false) != fillable_.end()) {
    throw SpecError("the tokenizer's sentences cannot fill every distance");
  }
  std::set<Token> first_tokens;
  for (const std::string_view name : answers(asked)) {
    const std::string text = " " + std::string(name);
    if (first_tokens.insert(tokenizer.encode_ordinary(text).front()).second) names_.emplace_back(name);
  }
  constexpr std::size_t kFewestNames =
      8;  // fewer: the first tokens do not tell names apart (bytes: all are a space)
  if (names_.size() < kFewestNames) names_.assign(answers(asked).begin(), answers(asked).end());
}

std::string RecallStories::filler(std::size_t tokens, Random& random) const {
  std::string text;
  const auto add = [&](const std::string& sentence) {
    const std::size_t length = count(sentence);
    if (length > tokens || !can_fill(tokens - length)) return;
    text += sentence;
    tokens -= length;
  };
  while (told_.empty() && tokens >= kFillBound) add(story_sentence(random));
  const std::size_t first = told_.empty() ? 0 : random.below(told_.size());
  for (std::size_t i = 0; i < told_.size() && tokens >= kLastTold; ++i)
    add(told_[(first + i) % told_.size()]);
  while (tokens > 0) {
    std::vector<std::size_t> lengths;
    for (const auto& [length, sentences] : by_length_) {
      if (length <= tokens && can_fill(tokens - length)) lengths.push_back(length);
    }
    assert(!lengths.empty());
    const std::size_t length = random.of(lengths);
    text += random.of(by_length_.at(length));
    tokens -= length;
  }
  return text;
}

RecallStory RecallStories::make(std::size_t distance, std::uint64_t index, int distractors) const {
  assert(index < kMaxStories && distractors >= 0);
  Random random(seed_, distance * kMaxStories + index);
  RecallStory story;
  story.creature = random.of(subjects(asked_));
  story.name = random.of(names_);
  const std::string first = opening_sentence(random) + introduction(asked_, story.creature, story.name);
  const std::string name = " " + story.name;
  const std::string asked = question(asked_, story.creature);
  // From the name to the token before the answer: the name, a full stop, the filler, the question, less one.
  const std::size_t fixed = count(name + ".") + count(asked) - 1;
  if (distance < fixed || !can_fill(distance - fixed)) {
    std::size_t least = fixed;
    while (least < distance || !can_fill(least - fixed)) ++least;
    throw SpecError("distance " + std::to_string(distance) +
                    ": sentences of this tokenizer cannot fill it; " + std::to_string(least) +
                    " is the next that they can");
  }
  std::size_t room = distance - fixed;
  std::string others;
  for (int i = 0; i < distractors; ++i) {
    const std::string creature(random.of(subjects(asked_)));
    const std::string& other = random.of(names_);
    if (creature == story.creature || other == story.name) continue;
    const std::string sentence = introduction(asked_, creature, other);
    const std::size_t length = count(sentence);
    if (length > room || !can_fill(room - length)) continue;
    room -= length;
    others += sentence;
  }
  // Other creatures come at one place between two fillers.
  std::size_t before = random.below(room + 1);
  while (!can_fill(before) || !can_fill(room - before)) --before;
  const std::string middle = filler(before, random) + others + filler(room - before, random);

  story.text = (first + middle + asked + name + ".").substr(1);
  story.tokens = tokenizer_->encode_ordinary(story.text);
  const std::size_t closing = count(".");
  const std::size_t answer = count(name);
  story.answer_end = story.tokens.size() - closing;
  story.query_at = story.answer_end - answer - 1;
  story.name_at = tokenizer_->encode_ordinary(first.substr(1, first.size() - 2 - name.size())).size();
  const auto at = [&](std::size_t place) {
    return story.tokens.begin() + static_cast<std::ptrdiff_t>(place);
  };
  if (story.distance() != distance || !std::equal(at(story.name_at), at(story.name_at + answer),
                                                  at(story.query_at + 1), at(story.answer_end))) {
    throw SpecError("the tokenizer does not keep words apart at spaces: distances cannot be exact");
  }
  story.tokens.push_back(end_of_text_);
  return story;
}

}  // namespace gpe::model
