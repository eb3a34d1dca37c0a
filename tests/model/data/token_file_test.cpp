// Token files: what is in them, and what is wrong with them.
#include "model/data/token_file.h"

#include "tests/model/token_files.h"
#include "tests/refusal.h"

namespace gpe::model {
namespace token_file_test {

using tests::refusal;
using tests::TemporaryFolder;
using Tokens = std::vector<std::uint16_t>;

TEST(TokenFile, tokens_and_documents_are_read) {
  const TemporaryFolder folder;
  const Tokens tokens = {1, 2, 9, 9, 300, 65535, 9, 4};
  const TokenFile file(tests::write_tokens(folder, "a", tokens, 65536, 9));
  EXPECT_TRUE(std::ranges::equal(file.tokens(), tokens));
  EXPECT_EQ(file.vocabulary(), 65536);
  EXPECT_EQ(file.end_of_text(), 9);
  EXPECT_EQ(file.tokenizer(), std::nullopt);
  EXPECT_EQ(file.documents(), (std::vector<Document>{{0, 3}, {3, 4}, {4, 7}, {7, 8}}));
  file.check(65536);
}

TEST(TokenFile, without_a_description_is_one_document) {
  const TemporaryFolder folder;
  const TokenFile file(folder.write("b.bin", tests::as_bytes({5, 0, 7})));
  EXPECT_EQ(file.vocabulary(), std::nullopt);
  EXPECT_EQ(file.end_of_text(), std::nullopt);
  EXPECT_EQ(file.tokenizer(), std::nullopt);
  EXPECT_EQ(file.documents(), (std::vector<Document>{{0, 3}}));
  file.check(8);
}

TEST(TokenFile, names_the_tokenizer_beside_it) {
  const TemporaryFolder folder;
  std::string text = tests::description({1, 2}, 50, 0);
  const std::string kind = R"({"kind": "bytes"})";
  text.replace(text.find(kind), kind.size(), R"({"kind": "bpe", "file": "tokenizer.json"})");
  folder.write("c.json", text);
  const TokenFile file(folder.write("c.bin", tests::as_bytes({1, 2})));
  EXPECT_EQ(file.tokenizer(), "tokenizer.json");
}

TEST(TokenFile, the_tokenizer_lies_in_its_folder_and_is_the_one_that_was_recorded) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "data/sub");
  const auto secret = folder.write("secret", "secret");
  folder.write("data/tokenizer.json", "{}");
  std::filesystem::create_symlink(secret, folder / "data/link.json");
  std::filesystem::create_symlink(folder.path(), folder / "data/sub/up");
  const auto told = [&](const std::string& name, const std::string& sha256) {
    std::string text = tests::description({1, 2}, 50, 0);
    const std::string kind = R"({"kind": "bytes"})";
    const std::string hash = sha256.empty() ? "" : R"(, "sha256": ")" + sha256 + "\"";
    text.replace(text.find(kind), kind.size(), R"({"kind": "bpe", "file": ")" + name + "\"" + hash + "}");
    folder.write("data/c.json", text);
    const TokenFile file(folder.write("data/c.bin", tests::as_bytes({1, 2})));
    std::string found;
    const std::string message = refusal([&] { found = file.tokenizer_text(); });
    return message == "accepted" ? found : message;
  };
  EXPECT_EQ(told("tokenizer.json", ""), "{}");
  EXPECT_EQ(told("tokenizer.json", theory::sha256_hex("{}")), "{}");
  EXPECT_NE(told("tokenizer.json", theory::sha256_hex("{ }")).find("is not the tokenizer of"),
            std::string::npos);
  for (const std::string& name :
       {secret.string(), std::string("../secret"), std::string("sub/../../secret"), std::string("link.json"),
        std::string("sub/up/secret"), std::string("."), std::string("")}) {
    const std::string message = told(name, "");
    EXPECT_TRUE(message.find("inside of") != std::string::npos ||
                message.find("is a link") != std::string::npos)
        << name << ": " << message;
  }
}

TEST(TokenFile, what_is_wrong_is_named) {
  const TemporaryFolder folder;
  const auto opened = [&](const std::string& bytes, const std::string& json) {
    if (json.empty()) {
      std::filesystem::remove(folder / "w.json");
    } else {
      folder.write("w.json", json);
    }
    const auto file = folder.write("w.bin", bytes);
    const std::string text = refusal([&] { TokenFile{file}; });
    const std::string place = folder.path().string() + "/";
    EXPECT_TRUE(text.starts_with(place)) << text;
    return text.substr(place.size());
  };
  EXPECT_EQ(opened("abc", ""), "w.bin: 3 bytes are not a whole number of 16-bit tokens; truncated?");
  EXPECT_EQ(opened("", ""), "w.bin: has no tokens");
  EXPECT_TRUE(opened("ab", "[").starts_with("w.json:1:2: not JSON: "));
  EXPECT_EQ(opened("ab", "{}"), "w.json: schema: expected an integer from 0 to 1000000");
  EXPECT_EQ(opened("ab", R"({"schema": 2})"), "w.json: schema is not 1, which this program reads");
  EXPECT_EQ(opened("ab", tests::description({1, 2}, 50, 0)),
            "w.json: says 2 tokens, " + (folder / "w.bin").string() + " has 1");
  EXPECT_EQ(opened("ab", tests::description({1}, 70000, 0)),
            "w.json: vocabulary: expected an integer from 0 to 65536");
  EXPECT_EQ(opened("ab", R"({"schema": 1, "tokens": 1, "vocabulary": 50, "end_of_text": -1})"),
            "w.json: end_of_text: expected an integer from 0 to 65535");
  EXPECT_EQ(refusal([&] { TokenFile{folder / "absent.bin"}; }),
            (folder / "absent.bin").string() + ": no such file");
}

TEST(TokenFile, tokens_that_no_vocabulary_has_and_other_bytes_are_found) {
  const TemporaryFolder folder;
  const TokenFile file(tests::write_tokens(folder, "d", {1, 7, 2}, 8, 0));
  const std::string bin = (folder / "d.bin").string();
  EXPECT_EQ(refusal([&] { file.check(8); }), "accepted");
  EXPECT_EQ(refusal([&] { file.check(7); }), bin + ": token 7 at position 1 is not in the vocabulary of 7");
  folder.write("d.json", tests::description({1, 6, 2}, 8, 0));
  const TokenFile other(folder / "d.bin");
  EXPECT_EQ(refusal([&] { other.check(8); }),
            bin + ": its bytes are not those that the JSON beside it names (sha256)");
}

}  // namespace token_file_test
}  // namespace gpe::model
