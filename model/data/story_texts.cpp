#include "model/data/story_texts.h"
// Tests: tests/model/data/story_texts_test.cpp
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "model/data/story_sentences.h"
#include "model/data/tokenizer.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"

namespace gpe::model {
namespace {

using theory::SpecError;

constexpr std::string_view kEnds = ".!?";
constexpr std::string_view kEndsAndCloses = ".!?\"')";
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::size_t kCast = 4;  // of girls, and of boys

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_title(std::string_view words) {
  return words.ends_with("Mr") || words.ends_with("Mrs") || words.ends_with("Ms") || words.ends_with("Dr");
}

// A sentence ends with its sign and what closes it, where a space and no small letter follow. What has no end
// is left out.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> result;
  std::size_t begin = text.find_first_not_of(kBlanks);
  for (std::size_t at = text.find_first_of(kEnds); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(kEndsAndCloses, at), text.size());
    const std::size_t next = std::min(text.find_first_not_of(kBlanks, end), text.size());
    const bool small = next < text.size() && text[next] >= 'a' && text[next] <= 'z';
    const bool inside = next < text.size() && next == end;
    const bool goes_on = small || inside || is_title(text.substr(begin, at - begin));
    if (!goes_on) {
      result.emplace_back(text.substr(begin, end - begin));
      begin = end;
    }
    at = text.find_first_of(kEnds, end);
  }
  return result;
}

std::string with_one_space(std::string_view sentence) {
  std::string result = " ";
  for (const char c : sentence) {
    const bool space = kBlanks.find(c) != std::string_view::npos;
    if (!space) result += c;
    if (space && result.back() != ' ') result += ' ';
  }
  return result;
}

bool introduces(std::string_view sentence) {
  return sentence.find("Once upon a time") != std::string_view::npos ||
         sentence.find(" named ") != std::string_view::npos;
}

std::size_t words_of(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool space = kBlanks.find(text[i]) != std::string_view::npos;
    if (!space && (i == 0 || kBlanks.find(text[i - 1]) != std::string_view::npos)) ++count;
  }
  return count;
}

// Who plays the children of an episode: the first girl that it names is the first girl, and so on.
class Cast {
 public:
  explicit Cast(Random& random) {
    for (const bool girls : {true, false}) {
      std::vector<std::string_view> names;
      for (const std::string_view name : story_names())
        if (is_girl(name) == girls) names.push_back(name);
      for (std::size_t i = 0; i < kCast; ++i) {
        std::swap(names[i], names[i + random.below(names.size() - i)]);
        players_[girls].push_back(names[i]);
      }
    }
  }

  std::string renamed(std::string_view sentence, std::map<std::string_view, std::string_view>& parts) const {
    std::string result;
    for (std::size_t at = 0; at < sentence.size();) {
      std::size_t end = at;
      while (end < sentence.size() && is_letter(sentence[end])) ++end;
      if (end == at) {
        result += sentence[at++];
        continue;
      }
      result += player(sentence.substr(at, end - at), parts);
      at = end;
    }
    return result;
  }

 private:
  std::string_view player(std::string_view word, std::map<std::string_view, std::string_view>& parts) const {
    const auto names = story_names();
    const auto known = std::ranges::find(names, word);
    if (known == names.end()) return word;
    const bool girl = is_girl(*known);
    const auto before =
        std::ranges::count_if(parts, [&](const auto& part) { return is_girl(part.first) == girl; });
    return parts.try_emplace(*known, players_.at(girl)[static_cast<std::size_t>(before) % kCast])
        .first->second;
  }

  std::map<bool, std::vector<std::string_view>> players_;
};

}  // namespace

StoryTexts::StoryTexts(const std::filesystem::path& file, std::uint64_t seed) {
  constexpr std::size_t kMax = std::size_t{1} << 32U;
  const std::string text = theory::read_regular_file(file, kMax);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(kEndOfText, begin), text.size());
    const auto sentences = split(std::string_view(text).substr(begin, end - begin));
    if (!sentences.empty()) stories_.push_back(sentences);
    begin = end + std::min(kEndOfText.size(), text.size() - end);
  }
  if (stories_.empty()) throw SpecError(file.string() + ": has no sentence");
  Random random(seed);
  for (std::size_t i = stories_.size(); i > 1; --i) std::swap(stories_[i - 1], stories_[random.below(i)]);
}

std::vector<std::string> StoryTexts::sentences() const {
  std::vector<std::string> result;
  for (const auto& story : stories_)
    for (const std::string& sentence : story) result.push_back(with_one_space(sentence));
  return result;
}

std::string StoryTexts::make(std::size_t words, Random& random) {
  const Cast cast(random);
  std::string text;
  for (std::size_t so_far = 0; so_far < words; ++used_) {
    const auto& story = stories_[used_ % stories_.size()];
    std::map<std::string_view, std::string_view> parts;
    const bool known = !text.empty() && story.size() > 1 && introduces(story.front());
    for (std::size_t i = known ? 1 : 0; i < story.size() && so_far < words; ++i) {
      const std::string sentence = cast.renamed(story[i], parts);
      if (i == 0 && !text.empty()) text += '\n';
      text += sentence;
      so_far += words_of(sentence);
    }
  }
  return text;
}

}  // namespace gpe::model
