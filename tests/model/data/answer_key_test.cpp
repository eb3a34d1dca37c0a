// Answer keys are read back, and held against the tokens that they speak of.
#include "model/data/answer_key.h"

#include <fstream>

#include "model/data/recall_story.h"
#include "model/data/token_writer.h"
#include "tests/temporary_folder.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace answer_key_test {

using tests::TemporaryFolder;

struct Made {
  std::filesystem::path tokens;
  AnswerKey key;
};

Made make(const TemporaryFolder& folder) {
  const Tokenizer tokenizer = Tokenizer::bytes();
  const RecallStories stories(tokenizer, 4);
  Made made{.tokens = folder / "r.bin", .key = {}};
  made.key.seed = 4;
  made.key.candidates = {1, 2, 3};
  std::vector<std::uint16_t> tokens;
  for (const std::size_t distance : {100UL, 200UL}) {
    const RecallStory story = stories.make(distance, 0);
    const std::size_t begin = tokens.size();
    made.key.references.push_back({begin, begin + story.name_at, begin + story.query_at,
                                   begin + story.answer_end, story.creature, story.name});
    for (const Token token : story.tokens) tokens.push_back(static_cast<std::uint16_t>(token));
  }
  made.key.tokens_sha256 = write_tokens(
      made.tokens, tokens,
      {.program = "test", .vocabulary = 257, .end_of_text = 256, .documents = 2, .tokenizer = {}});
  write_answer_key(answer_key_file(made.tokens), made.key);
  return made;
}

TEST(AnswerKey, is_read_back) {
  const TemporaryFolder folder;
  const Made made = make(folder);
  const TokenFile tokens(made.tokens);
  tokens.check(257);
  EXPECT_EQ(tokens.documents().size(), 2u);
  const AnswerKey key = read_answer_key(answer_key_file(made.tokens), tokens);
  EXPECT_EQ(key.references, made.key.references);
  EXPECT_EQ(key.candidates, made.key.candidates);
  EXPECT_EQ(key.seed, 4u);
  EXPECT_EQ(key.references[1].distance(), 200u);
  EXPECT_EQ(key.references[1].document, tokens.documents()[1].begin);
}

TEST(AnswerKey, that_does_not_fit_its_tokens_is_refused) {
  const TemporaryFolder folder;
  const Made made = make(folder);
  const TokenFile tokens(made.tokens);
  const auto file = folder / "wrong.answers.json";
  const auto message = [&](const std::function<void(AnswerKey&)>& change) {
    AnswerKey key = made.key;
    change(key);
    write_answer_key(file, key);
    try {
      read_answer_key(file, tokens);
    } catch (const theory::SpecError& error) {
      const std::string text = error.what();
      EXPECT_TRUE(text.starts_with(file.string() + ": ")) << text;
      return text.substr(file.string().size() + 2);
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message([](AnswerKey&) {}), "accepted");
  EXPECT_EQ(message([](AnswerKey& key) { key.tokens_sha256[0] ^= 1; }),
            "is the key of another token file (sha256)");
  EXPECT_EQ(message([](AnswerKey& key) { ++key.references[1].name_at; }),
            "reference 2: the answer is not what stands where the name is introduced");
  EXPECT_EQ(message([](AnswerKey& key) { key.references[0].answer_end = 1'000'000; }),
            "reference 1: places that are out of order, or outside the file");
  EXPECT_EQ(message([](AnswerKey& key) { key.references[0].query_at = key.references[0].name_at; }),
            "reference 1: places that are out of order, or outside the file");
  // numbers that would become others
  write_answer_key(file, made.key);
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const std::string query = "\"query_at\": " + std::to_string(made.key.references[0].query_at);
  for (const char* wrong : {"-1", "18446744073709551615", "1.5", "\"3\"", "1e3", "null"}) {
    for (const std::string& from : {query, std::string("\"candidates\": [\n  1")}) {
      std::string changed = text;
      const std::string to = from.substr(0, from.find_last_of(" ") + 1) + wrong;
      ASSERT_NE(changed.find(from), std::string::npos) << text;
      changed.replace(changed.find(from), from.size(), to);
      folder.write("wrong.answers.json", changed);
      EXPECT_THROW(read_answer_key(file, tokens), theory::SpecError) << to;
    }
  }
  std::string beyond = text;
  beyond.replace(beyond.find("[\n  1"), 5, "[\n  257");
  folder.write("wrong.answers.json", beyond);
  EXPECT_THROW(read_answer_key(file, tokens), theory::SpecError) << "a token that no text has";
  folder.write("wrong.answers.json", std::string(200000, '['));
  EXPECT_THROW(read_answer_key(file, tokens), theory::SpecError);
  folder.write("wrong.answers.json", "{\"schema\": 1}");
  EXPECT_THROW(read_answer_key(file, tokens), theory::SpecError);
  folder.write("wrong.answers.json", "[");
  EXPECT_THROW(read_answer_key(file, tokens), theory::SpecError);
}

}  // namespace answer_key_test
}  // namespace gpe::model
