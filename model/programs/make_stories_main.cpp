// make-stories: stories as text, or token files that ask for names at exact distances.
// Tests: tests/model/make_stories_test.py
#include <cmath>

#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/write_file.h"
#include "model/data/answer_key.h"
#include "model/data/recall_story.h"
#include "model/data/story_sentences.h"
#include "model/data/story_texts.h"
#include "model/data/token_writer.h"
#include "theory/source/spec_error.h"

namespace gpe::model::make_stories_program {
namespace {

namespace fs = std::filesystem;
using theory::SpecError;

struct Options {
  std::string output;
  std::uint64_t seed = 1;
  std::uint64_t count = 100;
  std::string words;
  std::string tokenizer;
  std::string distances;
  int distractors = 2;
  std::string from;
  std::string ask;
};

std::vector<std::size_t> sizes(const std::string& option, const std::string& text, std::size_t most) {
  std::vector<std::size_t> result;
  for (const theory::Rational& value : checks::lengths_option(option, text)) {
    if (value.sign() <= 0 || value > theory::Rational(static_cast<std::int64_t>(most))) {
      throw SpecError(option + ": " + value.str() + " is not from 1 to " + std::to_string(most));
    }
    result.push_back(std::stoull(value.str()));
  }
  return result;
}

// Words from LOW to HIGH, as many stories for each factor of two.
int write_text(const Options& o) {
  const std::size_t dots = o.words.find("..");
  if (dots == std::string::npos) throw SpecError("--words: expected LOW..HIGH");
  constexpr std::size_t kMaxWords = 1'000'000;
  const std::size_t low = sizes("--words", o.words.substr(0, dots), kMaxWords).front();
  const std::size_t high = sizes("--words", o.words.substr(dots + 2), kMaxWords).front();
  if (high < low) throw SpecError("--words: " + o.words + " is not a range LOW..HIGH with LOW <= HIGH");
  const double octaves = std::log2(static_cast<double>(high) / static_cast<double>(low));
  std::string text;
  std::optional<StoryTexts> others;
  if (!o.from.empty()) others.emplace(o.from, o.seed);
  checks::ProgressLine line("make-stories");
  for (std::uint64_t story = 0; story < o.count; ++story) {
    Random random(o.seed, story);
    const double words = static_cast<double>(low) * std::exp2(octaves * random.unit());
    const auto size = static_cast<std::size_t>(words);
    text += (others ? others->make(size, random) : story_text(size, random)) + "\n<|endoftext|>\n";
    if (story % 1000 == 0) line.show(std::to_string(story) + " stories");
  }
  checks::write_file(o.output, text);
  line.clear();
  checks::write_output("", o.output + ": " + std::to_string(o.count) + " stories, " +
                               std::to_string(text.size()) + " bytes\n");
  return checks::kDone;
}

StoryQuestion asked(const Options& o) {
  if (o.ask == "places") return StoryQuestion::place;
  return o.from.empty() ? StoryQuestion::name : StoryQuestion::told_name;
}

int write_recall(const Options& o) {
  const bool bytes = o.tokenizer == "bytes";
  const fs::path place =
      fs::is_directory(o.tokenizer) ? fs::path(o.tokenizer) / "tokenizer.json" : fs::path(o.tokenizer);
  const Tokenizer tokenizer = bytes ? Tokenizer::bytes() : Tokenizer::load(place);
  constexpr std::int64_t kMaxTokens = 1 << 16;
  if (tokenizer.vocabulary_size() > kMaxTokens)
    throw SpecError(o.tokenizer + ": more tokens than 16 bits number");
  std::vector<std::string> told;
  if (!o.from.empty()) told = StoryTexts(o.from, o.seed).sentences();
  const RecallStories stories(tokenizer, o.seed, asked(o), told);
  AnswerKey key;
  key.seed = o.seed;
  std::vector<std::uint16_t> tokens;
  constexpr std::size_t kMaxDistance = 1 << 24;
  checks::ProgressLine line("make-stories");
  for (const std::size_t distance : sizes("--distances", o.distances, kMaxDistance)) {
    line.show("distance " + std::to_string(distance));
    for (std::uint64_t index = 0; index < o.count; ++index) {
      const RecallStory story = stories.make(distance, index, o.distractors);
      const std::size_t begin = tokens.size();
      key.references.push_back({.document = begin,
                                .name_at = begin + story.name_at,
                                .query_at = begin + story.query_at,
                                .answer_end = begin + story.answer_end,
                                .creature = story.creature,
                                .name = story.name});
      for (const Token token : story.tokens) tokens.push_back(static_cast<std::uint16_t>(token));
    }
  }
  if (!bytes) {  // all bytes' names begin with the same token, a space
    for (const std::string& name : stories.names()) {
      key.candidates.push_back(static_cast<std::uint16_t>(tokenizer.encode_ordinary(" " + name).front()));
    }
  }
  key.tokens_sha256 =
      write_tokens(o.output, tokens,
                   {.program = "make-stories",
                    .vocabulary = tokenizer.vocabulary_size(),
                    .end_of_text = static_cast<std::uint16_t>(*tokenizer.added_token(kEndOfText)),
                    .documents = key.references.size(),
                    .tokenizer = bytes ? fs::path() : place});
  write_answer_key(answer_key_file(o.output), key);
  line.clear();
  checks::write_output("", o.output + ": " + std::to_string(key.references.size()) + " stories, " +
                               std::to_string(tokens.size()) + " tokens; their answers are in " +
                               answer_key_file(o.output).string() + "\n");
  return checks::kDone;
}

int run(const Options& o) {
  const fs::path output(o.output);
  if (o.words.empty() == o.distances.empty()) {
    throw SpecError(
        "expected --words LOW..HIGH for a text, or --distances with --tokenizer for a token file");
  }
  if (o.ask == "places" && o.from.empty())
    throw SpecError("--ask places needs --from: sentences that are made here tell of places");
  if (!o.words.empty()) {
    if (!o.ask.empty()) throw SpecError("--ask is for --distances, not for --words");
    if (!o.tokenizer.empty()) throw SpecError("--tokenizer is for --distances, not for --words");
    return write_text(o);
  }
  if (o.tokenizer.empty()) throw SpecError("--distances needs --tokenizer: they are counted in its tokens");
  if (output.extension() != ".bin") throw SpecError("--output " + o.output + ": expected FILE.bin");
  return write_recall(o);
}

std::vector<checks::Option> options(Options& o) {
  return {
      {"--output", &o.output, "FILE", "FILE.txt of a text; FILE.bin of tokens, FILE.answers.json beside it",
       "", checks::Required{}},
      {"--words", &o.words, "LOW..HIGH",
       "a text: stories of LOW to HIGH words, as many for each factor of two"},
      {"--distances", &o.distances, "N",
       "tokens: from the name to where it is asked for; 32..4096 (doubling), or a list"},
      {"--tokenizer", &o.tokenizer, "T", "tokenizer.json, or a folder with one, or bytes"},
      {"--count", &o.count, "N", "stories, or stories of each distance (default 100)", "",
       checks::WholeNumbers{1, 100'000'000}},
      {"--distractors", &o.distractors, "N", "other creatures with other names on the way (default 2)", "",
       checks::WholeNumbers{0, 100}},
      {"--from", &o.from, "FILE.txt",
       "take the sentences from this text of stories, which end with <|endoftext|>"},
      {"--ask", &o.ask, "names|places", "for names (default), or for places of things, which needs --from",
       "", checks::OneOf{{"names", "places"}}},
      {"--seed", &o.seed, "N", "the same seed gives the same stories (default 1)"}};
}

}  // namespace

int run(int argc, char** argv) {
  return checks::program_main(
      {"make-stories",
       "Makes stories that name creatures and ask for the names: as "
       "text, or as tokens at exact distances.",
       "Examples:\n"
       "  make-stories --words 50..500 --count 5000 --output stories.txt\n"
       "  make-stories --tokenizer data/tsm --distances 32..4096 --count 50 --output data/tsm/recall.bin\n"
       "Exit: 0 done, 2 bad use or a wrong file, 1 anything else."},
      argc, argv, options, run);
}

}  // namespace gpe::model::make_stories_program
