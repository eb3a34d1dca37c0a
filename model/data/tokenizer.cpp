#include "model/data/tokenizer.h"

#include <algorithm>

#include "model/data/character_class.h"
#include "model/data/split_words.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace {

using theory::SpecError;

constexpr Token kMaxVocabulary = 1 << 20;

}  // namespace

Tokenizer Tokenizer::bytes() {
  TokenizerParts parts;
  for (Token byte = 0; byte < 256; ++byte) {
    parts.vocabulary.emplace_back(std::string(1, static_cast<char>(byte)), byte);
  }
  parts.added.emplace_back(kEndOfText, 256);
  return make(std::move(parts), "bytes");
}

Tokenizer Tokenizer::make(TokenizerParts parts, const std::string& source) {
  Tokenizer result;
  std::unordered_map<std::string_view, Token> numbers;
  const auto place = [&](const std::string& text, Token token) {
    const std::string which = "token " + std::to_string(token);
    if (token < 0 || token >= kMaxVocabulary)
      throw SpecError(source + ": " + which + " is not from 0 to 2^20 - 1");
    if (static_cast<std::size_t>(token) >= result.texts_.size()) {
      result.texts_.resize(static_cast<std::size_t>(token) + 1);
    }
    auto& slot = result.texts_[static_cast<std::size_t>(token)];
    if (slot && *slot != text) throw SpecError(source + ": " + which + " stands for two texts");
    slot = text;
  };
  for (const auto& [text, token] : parts.vocabulary) {
    place(text, token);
    if (!numbers.emplace(text, token).second) {
      throw SpecError(source + ": tokens " + std::to_string(numbers.at(text)) + " and " +
                      std::to_string(token) + " stand for the same text");
    }
  }
  for (const auto& [text, token] : parts.added) {
    if (text.empty()) throw SpecError(source + ": an added token without text");
    place(text, token);
  }
  const bool is_llama = !parts.bytes.empty();
  if (is_llama) result.pieces_.insert(parts.vocabulary.begin(), parts.vocabulary.end());
  for (std::size_t byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    const auto found = numbers.find(text);
    Token token = found == numbers.end() ? -1 : found->second;
    if (is_llama) token = parts.bytes[byte];
    if (token < 0) throw SpecError(source + ": byte " + std::to_string(byte) + " has no token");
    if (is_llama) place(text, token);
    result.byte_tokens_.push_back(token);
  }
  for (std::size_t i = 0; i < parts.merges.size(); ++i) {
    const auto& [left, right] = parts.merges[i];
    const auto left_token = numbers.find(left);
    const auto right_token = numbers.find(right);
    const auto both = numbers.find(left + right);
    const std::string where = source + ": merge " + std::to_string(i + 1);
    if (left_token == numbers.end() || right_token == numbers.end() || both == numbers.end()) {
      throw SpecError(where + ": a part or the whole is not in the vocabulary");
    }
    if (!result.merges_.add(left_token->second, right_token->second, both->second)) {
      throw SpecError(where + ": the pair occurs twice");
    }
  }
  result.added_ = std::move(parts.added);
  std::ranges::stable_sort(result.added_, std::greater<>(),
                           [](const auto& each) { return each.first.size(); });
  return result;
}

void Tokenizer::encode_word(std::string_view word, std::vector<Token>& tokens) const {
  std::vector<Token> pieces;
  pieces.reserve(word.size());
  for (const char byte : word) pieces.push_back(byte_tokens_[static_cast<unsigned char>(byte)]);
  merges_.apply(pieces);
  tokens.insert(tokens.end(), pieces.begin(), pieces.end());
}

std::vector<Token> Tokenizer::encode_characters(std::string_view text) const {
  std::vector<Token> pieces;
  const auto add = [&](std::string_view character) {
    if (const auto found = pieces_.find(std::string(character)); found != pieces_.end()) {
      pieces.push_back(found->second);
      return;
    }
    for (const char byte : character) pieces.push_back(byte_tokens_[static_cast<unsigned char>(byte)]);
  };
  if (!text.empty()) add(" ");
  while (!text.empty()) {
    const std::size_t length = first_character(text).length;
    add(text.substr(0, length));
    text.remove_prefix(length);
  }
  merges_.apply(pieces);
  return pieces;
}

std::vector<Token> Tokenizer::encode_ordinary(std::string_view text) const {
  if (!pieces_.empty()) return encode_characters(text);
  std::vector<Token> tokens;
  std::unordered_map<std::string_view, std::pair<std::size_t, std::size_t>> seen;  // a word's tokens, above
  for (const std::string_view word : split_words(text)) {
    const std::size_t begin = tokens.size();
    if (const auto found = seen.find(word); found != seen.end()) {
      const auto [first, count] = found->second;
      for (std::size_t i = 0; i < count; ++i) tokens.push_back(tokens[first + i]);
    } else {
      encode_word(word, tokens);
      seen.emplace(word, std::pair(begin, tokens.size() - begin));
    }
  }
  return tokens;
}

std::vector<Token> Tokenizer::encode(std::string_view text) const {
  std::vector<Token> tokens;
  std::vector<std::size_t> next(added_.size(),
                                0);  // where each added token occurs next, looked for once per piece
  std::size_t at = 0;
  for (bool first_time = true;; first_time = false) {
    std::size_t nearest = added_.size();
    for (std::size_t i = 0; i < added_.size(); ++i) {
      if (first_time || next[i] < at) next[i] = text.find(added_[i].first, at);
      // The first, and the longest of several: they come in that order.
      if (next[i] != std::string_view::npos && (nearest == added_.size() || next[i] < next[nearest]))
        nearest = i;
    }
    const std::size_t end = nearest == added_.size() ? text.size() : next[nearest];
    const std::vector<Token> before = encode_ordinary(text.substr(at, end - at));
    tokens.insert(tokens.end(), before.begin(), before.end());
    if (nearest == added_.size()) return tokens;
    tokens.push_back(added_[nearest].second);
    at = end + added_[nearest].first.size();
  }
}

std::string Tokenizer::decode(std::span<const Token> tokens) const {
  std::string text;
  for (const Token token : tokens) {
    const auto piece = text_of(token);
    if (!piece) {
      throw SpecError("token " + std::to_string(token) + " is not in the vocabulary of " +
                      std::to_string(vocabulary_size()));
    }
    text += *piece;
  }
  return text;
}

std::optional<std::string_view> Tokenizer::text_of(Token token) const {
  if (token < 0 || token >= vocabulary_size()) return std::nullopt;
  const auto& text = texts_[static_cast<std::size_t>(token)];
  if (!text) return std::nullopt;
  return *text;
}

std::optional<Token> Tokenizer::added_token(std::string_view text) const {
  const auto found =
      std::ranges::find(added_, text, [](const auto& each) { return std::string_view(each.first); });
  if (found == added_.end()) return std::nullopt;
  return found->second;
}

}  // namespace gpe::model
