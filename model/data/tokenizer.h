// Text to tokens and back: byte-pair encoding of bytes in words as GPT-2 does it, or of characters as Llama
// does; or single bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/data/pair_merges.h"

namespace gpe::model {

using Token = std::int32_t;

inline constexpr std::string_view kEndOfText = "<|endoftext|>";

/// What a tokenizer is made of; tokens and merges in bytes, not in GPT-2's visible alphabet.
struct TokenizerParts {
  std::vector<std::pair<std::string, Token>> vocabulary;    ///< ordinary tokens
  std::vector<std::pair<std::string, std::string>> merges;  ///< the first is done first
  std::vector<std::pair<std::string, Token>> added;  ///< stand for themselves, found before anything else
  /// Of Llama's kind the tokens of the 256 bytes, for characters that are not in the vocabulary; a text gets
  /// a space before it, and is not words. Else empty, and the bytes are in the vocabulary.
  std::vector<Token> bytes;
};

class Tokenizer {
 public:
  /// Token b is byte b; 256 is <|endoftext|>.
  static Tokenizer bytes();

  /// A folder with tokenizer.json, or with vocab.json and merges.txt; or such a tokenizer.json itself.
  /// The first is a file of the package tokenizers: model BPE, pre-tokenizer ByteLevel without prefix space,
  /// no normalizer; or Llama's kind, model BPE with byte_fallback and a normalizer that puts U+2581 before
  /// the text and in place of spaces. The second is GPT-2's, where <|endoftext|> is an added token if the
  /// vocabulary has it.
  /// @throws theory::SpecError  absent, malformed, or of a kind that is not read here: it says which
  static Tokenizer load(const std::filesystem::path& place);

  /// @throws theory::SpecError  `source` and what is wrong: a byte without a token, two tokens of one number,
  /// ...
  static Tokenizer make(TokenizerParts parts, const std::string& source);

  /// Added tokens in the text become themselves: not for text from strangers.
  std::vector<Token> encode(std::string_view text) const;
  /// The text as text, whatever it says. Any bytes are allowed, and decode gives them back; of Llama's kind
  /// with a space before them, unless there are none.
  std::vector<Token> encode_ordinary(std::string_view text) const;
  /// @throws theory::SpecError  a token that is not in the vocabulary
  std::string decode(std::span<const Token> tokens) const;

  /// Greatest token plus one: the least vocabulary that a model needs.
  std::int64_t vocabulary_size() const { return static_cast<std::int64_t>(texts_.size()); }
  /// The bytes of a token; nothing for a number that is not a token.
  std::optional<std::string_view> text_of(Token token) const;
  /// The number of an added token such as <|endoftext|>.
  std::optional<Token> added_token(std::string_view text) const;

 private:
  void encode_word(std::string_view word, std::vector<Token>& tokens) const;
  std::vector<Token> encode_characters(std::string_view text) const;

  std::vector<std::optional<std::string>> texts_;     // by token
  std::vector<Token> byte_tokens_;                    // by byte
  std::unordered_map<std::string, Token> pieces_;     // of Llama's kind
  std::vector<std::pair<std::string, Token>> added_;  // the longest first
  PairMerges merges_;
};

}  // namespace gpe::model
