// Text to tokens and back, on vocabularies small enough to do by hand.
#include "model/data/tokenizer.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "model/data/byte_alphabet.h"
#include "model/data/llama_pipeline.h"
#include "model/data/split_words.h"
#include "tests/refusal.h"
#include "tests/temporary_folder.h"

namespace gpe::model {
namespace tokenizer_test {

using tests::refusal;
using tests::TemporaryFolder;
using Words = std::vector<std::string_view>;

// The 256 bytes and what the merges make, numbered in that order.
TokenizerParts parts_with(const std::vector<std::pair<std::string, std::string>>& merges) {
  TokenizerParts parts;
  Token next = 0;
  for (; next < 256; ++next) parts.vocabulary.emplace_back(std::string(1, static_cast<char>(next)), next);
  for (const auto& [left, right] : merges) parts.vocabulary.emplace_back(left + right, next++);
  parts.merges = merges;
  parts.added.emplace_back(kEndOfText, next);
  return parts;
}

TEST(SplitWords, are_those_of_the_regular_expression) {
  EXPECT_EQ(split_words(""), Words{});
  EXPECT_EQ(split_words("Hello world"), (Words{"Hello", " world"}));
  EXPECT_EQ(split_words("don't'll 'S"), (Words{"don", "'t", "'ll", " '", "S"}));
  EXPECT_EQ(split_words("a  b   "), (Words{"a", " ", " b", "   "}));
  EXPECT_EQ(split_words("a\n\nb\t c"), (Words{"a", "\n", "\n", "b", "\t", " c"}));
  EXPECT_EQ(split_words("x12 34!? ?a"), (Words{"x", "12", " 34", "!?", " ?", "a"}));
  EXPECT_EQ(split_words("\u00e9t\u00e9 \u0663\u00bd\u4f60"),
            (Words{"\u00e9t\u00e9", " \u0663\u00bd", "\u4f60"}));
  EXPECT_EQ(split_words("a\u00a0b\u2003\u2003c"), (Words{"a", "\u00a0", "b", "\u2003", "\u2003", "c"}));
  EXPECT_EQ(split_words("a\xff\xc3z"), (Words{"a", "\xff\xc3", "z"}));  // no UTF-8
}

RC_GTEST_PROP(SplitWords, together_are_the_text, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::oneOf(
      rc::gen::arbitrary<char>(), rc::gen::element(' ', '\n', '\'', 's', '1', '!', '\xc3', '\xa9')));
  std::string together;
  for (const std::string_view word : split_words(text)) {
    RC_ASSERT(!word.empty());
    together += word;
  }
  RC_ASSERT(together == text);
}

TEST(ByteAlphabet, has_a_character_of_its_own_for_every_byte) {
  EXPECT_EQ(visible(' '), "\u0120");
  EXPECT_EQ(visible('\n'), "\u010a");
  EXPECT_EQ(visible('a'), "a");
  EXPECT_EQ(visible(0xad), "\u0143");
  EXPECT_EQ(visible(0xe9), "\u00e9");
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(bytes_of_visible(visible(static_cast<unsigned char>(byte))),
              std::string(1, static_cast<char>(byte)));
  }
  EXPECT_EQ(bytes_of_visible("a b"), std::nullopt);
  EXPECT_EQ(bytes_of_visible("\u4f60"), std::nullopt);
}

TEST(PairMerges, of_least_rank_and_then_leftmost_are_done_first) {
  PairMerges merges;
  EXPECT_TRUE(merges.add(1, 1, 2));  // aa
  EXPECT_TRUE(merges.add(2, 1, 3));  // aa a
  EXPECT_TRUE(merges.add(2, 2, 4));  // aa aa
  EXPECT_FALSE(merges.add(1, 1, 9));
  const auto applied = [&](std::vector<std::int32_t> tokens) {
    merges.apply(tokens);
    return tokens;
  };
  using Tokens = std::vector<std::int32_t>;
  EXPECT_EQ(applied({}), Tokens{});
  EXPECT_EQ(applied({1}), Tokens{1});
  EXPECT_EQ(applied({1, 1, 1}), Tokens{3});
  EXPECT_EQ(applied({1, 1, 1, 1}), Tokens{4});
  EXPECT_EQ(applied({1, 1, 1, 1, 1}), (Tokens{2, 3}));
}

TEST(Tokenizer, bytes_are_themselves) {
  const Tokenizer tokenizer = Tokenizer::bytes();
  EXPECT_EQ(tokenizer.vocabulary_size(), 257);
  EXPECT_EQ(tokenizer.encode("a\xff<|endoftext|>b"), (std::vector<Token>{97, 255, 256, 98}));
  EXPECT_EQ(tokenizer.encode_ordinary("<|").size(), 2u);
  EXPECT_EQ(tokenizer.added_token(kEndOfText), 256);
  EXPECT_EQ(tokenizer.added_token("<|other|>"), std::nullopt);
}

TEST(Tokenizer, merges_stay_inside_words) {
  const Tokenizer tokenizer = Tokenizer::make(parts_with({{"h", "e"}, {" ", "he"}, {"e", " "}}), "t");
  EXPECT_EQ(tokenizer.encode("he he"), (std::vector<Token>{256, 257}));  // never "e "
  EXPECT_EQ(tokenizer.text_of(257), " he");
  EXPECT_EQ(tokenizer.text_of(300), std::nullopt);
  EXPECT_EQ(tokenizer.text_of(-1), std::nullopt);
}

TEST(Tokenizer, the_longest_added_token_is_found_first) {
  TokenizerParts parts = parts_with({});
  parts.added.emplace_back("<|end", 300);
  const Tokenizer tokenizer = Tokenizer::make(parts, "t");
  EXPECT_EQ(tokenizer.encode("<|endoftext|><|end<|endoftext|>"), (std::vector<Token>{256, 300, 256}));
  EXPECT_EQ(tokenizer.vocabulary_size(), 301);
  EXPECT_EQ(refusal([&] { static_cast<void>(tokenizer.decode(std::vector<Token>{299})); }),
            "token 299 is not in the vocabulary of 301");
}

// Of Llama's kind: bytes have tokens beside the characters, and pieces extend over the ends of words.
TEST(Tokenizer, characters_are_merged_across_words_and_fall_back_to_bytes) {
  TokenizerParts parts;
  for (Token byte = 0; byte < 256; ++byte) parts.bytes.push_back(byte);
  Token next = 256;
  for (const char* const piece : {" ", "a", "b", "\u00e9", " a", "a b"})
    parts.vocabulary.emplace_back(piece, next++);
  parts.merges = {{" ", "a"}, {"a", " b"}};
  EXPECT_EQ(refusal([&] { static_cast<void>(Tokenizer::make(parts, "t")); }),
            "t: merge 2: a part or the whole is not in the vocabulary");
  parts.vocabulary.emplace_back(" b", next++);
  parts.merges = {{" ", "b"}, {"a", " b"}, {" ", "a"}};
  const Tokenizer tokenizer = Tokenizer::make(parts, "t");
  using Tokens = std::vector<Token>;
  EXPECT_EQ(tokenizer.encode_ordinary(""), Tokens{});
  EXPECT_EQ(tokenizer.encode_ordinary("a b"), (Tokens{256, 261}));
  EXPECT_EQ(tokenizer.encode_ordinary("\u00e9z\xff"), (Tokens{256, 259, 'z', 255}));
  EXPECT_EQ(tokenizer.decode(tokenizer.encode_ordinary("a b\u00e9z\xff")), " a b\u00e9z\xff");
  parts.bytes[7] = -1;
  EXPECT_EQ(refusal([&] { static_cast<void>(Tokenizer::make(parts, "t")); }), "t: byte 7 has no token");
}

TEST(Tokenizer, a_vocabulary_that_is_none_is_refused) {
  const auto message = [](const TokenizerParts& parts) {
    return refusal([&] { static_cast<void>(Tokenizer::make(parts, "t")); });
  };
  TokenizerParts parts = parts_with({});
  parts.vocabulary.erase(parts.vocabulary.begin() + 7);
  EXPECT_EQ(message(parts), "t: byte 7 has no token");
  parts = parts_with({});
  parts.vocabulary.emplace_back("xy", 5);
  EXPECT_EQ(message(parts), "t: token 5 stands for two texts");
  parts = parts_with({});
  parts.vocabulary.emplace_back("a", 500);
  EXPECT_EQ(message(parts), "t: tokens 97 and 500 stand for the same text");
  parts = parts_with({});
  parts.vocabulary.emplace_back("xy", 1 << 20);
  EXPECT_EQ(message(parts), "t: token 1048576 is not from 0 to 2^20 - 1");
  parts = parts_with({});
  parts.merges.emplace_back("x", "y");
  EXPECT_EQ(message(parts), "t: merge 1: a part or the whole is not in the vocabulary");
  parts = parts_with({{"x", "y"}});
  parts.merges.emplace_back("x", "y");
  EXPECT_EQ(message(parts), "t: merge 2: the pair occurs twice");
}

TEST(Tokenizer, files_of_another_kind_are_refused_with_the_reason) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) {
    const auto file = folder.write("tokenizer.json", text);
    const std::string full = refusal([&] { static_cast<void>(Tokenizer::load(file)); });
    EXPECT_TRUE(full.starts_with(file.string() + ":")) << full;
    return full.substr(full.find_first_not_of(": ", file.string().size()));
  };
  EXPECT_TRUE(message("{").starts_with("1:2: not JSON: "));
  EXPECT_EQ(message("[]"), "not an object");
  EXPECT_EQ(message("{}"), "pre_tokenizer is missing");
  EXPECT_EQ(message(R"({"normalizer": {"type": "NFC"}})"),
            R"(normalizer is {"type":"NFC"}, which is not read here; expected null)");
  EXPECT_EQ(message(R"({"pre_tokenizer": {"type": "Whitespace"}})"),
            "pre_tokenizer is not of the type ByteLevel, the only one that is read here");
  EXPECT_EQ(message(R"({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": true}})"),
            "pre_tokenizer: add_prefix_space is true, which is not read here; expected false");
  const std::string head =
      R"({"pre_tokenizer": {"type": "ByteLevel"}, "decoder": {"type": "ByteLevel"}, "model": )";
  EXPECT_EQ(message(head + R"({"type": "Unigram"}})"),
            "model is not of the type BPE, the only one that is read here");
  EXPECT_EQ(message(head + R"({"type": "BPE", "byte_fallback": true}})"), "normalizer is missing");
  EXPECT_EQ(message(R"({"normalizer": null, "model": {"type": "BPE", "byte_fallback": true}})").substr(0, 69),
            "normalizer is null, which is not read here; expected {\"normalizers\":[");
  nlohmann::json llama = {
      {"normalizer", llama_normalizer()},
      {"decoder", llama_decoder()},
      {"model", {{"type", "BPE"}, {"byte_fallback", true}, {"merges", nlohmann::json::array()}}}};
  for (const int byte : {0x4a, 0x4b}) llama["model"]["vocab"][byte == 0x4a ? "<0x4a>" : "<0x4B>"] = byte;
  EXPECT_EQ(message(llama.dump()), "byte 0 has no token");
  for (int byte = 0; byte < 0x4a; ++byte) {
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "<0x%02X>", static_cast<unsigned>(byte));
    llama["model"]["vocab"][text.data()] = byte;
  }
  EXPECT_EQ(message(llama.dump()), "byte 74 has no token") << "\"<0x4a>\" is a text";
  EXPECT_EQ(message(head + R"({"type": "BPE"}})"), "model: vocab is missing");
  EXPECT_EQ(message(head + R"({"type": "BPE", "vocab": {"a b": 1}, "merges": []}})"),
            "vocabulary: a character outside the alphabet that GPT-2 writes bytes in");
  EXPECT_EQ(message(head + R"({"type": "BPE", "vocab": {"a": -1}, "merges": []}})"),
            "vocabulary: no token number");
  EXPECT_EQ(message(head + R"({"type": "BPE", "vocab": {}, "merges": ["ab"]}})"),
            "merge 1: expected two tokens and a space between them");
  EXPECT_EQ(message(head + R"({"type": "BPE", "vocab": {}, "merges": [3]}})"),
            "merge 1: expected two tokens");
  EXPECT_EQ(refusal([&] { static_cast<void>(Tokenizer::load(folder / "absent")); }),
            (folder / "absent").string() + ": no such file");
  std::filesystem::create_directory(folder / "sub");
  EXPECT_EQ(
      refusal([&] { static_cast<void>(Tokenizer::load(folder / "sub")); }),
      (folder / "sub").string() + ": neither tokenizer.json nor vocab.json and merges.txt in this folder");
}

RC_GTEST_PROP(Tokenizer, any_bytes_are_given_back, ()) {
  static const Tokenizer tokenizer =
      Tokenizer::make(parts_with({{"a", "b"}, {"ab", "ab"}, {" ", "ab"}, {"\xc3", "\xa9"}}), "t");
  const auto text = *rc::gen::container<std::string>(
      rc::gen::oneOf(rc::gen::arbitrary<char>(), rc::gen::element('a', 'b', ' ', '\xc3', '\xa9')));
  const auto tokens = tokenizer.encode_ordinary(text);
  RC_ASSERT(tokenizer.decode(tokens) == text);
  RC_ASSERT(tokens.size() <= text.size());
}

}  // namespace tokenizer_test
}  // namespace gpe::model
