// Tests: tests/model/import_model_test.py
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "model/data/llama_pipeline.h"
#include "model/data/mapped_file.h"
#include "model/data/tokenizer.h"
#include "model/interop/llama2c.h"
#include "theory/source/printable.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

using Json = nlohmann::json;

constexpr std::size_t kBytes = 3;  // the token of byte 0
constexpr std::size_t kFirst = kBytes + 256;
constexpr std::int32_t kLongest = 256;

struct Piece {
  float score = 0;
  std::string text;
};

std::string of_token(const std::string& source, std::size_t token) {
  return source + ": token " + std::to_string(token);
}

std::vector<Piece> read_pieces(const fs::path& file, std::int64_t vocabulary) {
  const MappedFile mapped(file);
  const std::string source = file.string();
  std::span<const std::byte> rest = mapped.bytes();
  const auto take = [&](void* to, std::size_t size, std::size_t token) {
    if (rest.size() < size)
      throw SpecError(of_token(source, token) +
                      ": the file ends within it; expected a tokenizer of llama2.c with " +
                      std::to_string(vocabulary) + " tokens");
    std::memcpy(to, rest.data(), size);
    rest = rest.subspan(size);
  };
  std::int32_t longest = 0;
  take(&longest, sizeof longest, 0);
  std::vector<Piece> pieces;
  for (std::size_t token = 0; std::cmp_less(token, vocabulary); ++token) {
    Piece piece;
    std::int32_t length = 0;
    take(&piece.score, sizeof piece.score, token);
    take(&length, sizeof length, token);
    if (length < 1 || length > kLongest || !std::isfinite(piece.score))
      throw SpecError(of_token(source, token) + ": has the length " + std::to_string(length) +
                      " and the score " + decimal(piece.score) + "; expected 1 to 256, and a number");
    piece.text.resize(static_cast<std::size_t>(length));
    take(piece.text.data(), piece.text.size(), token);
    pieces.push_back(std::move(piece));
  }
  if (!rest.empty())
    throw SpecError(source + ": has " + std::to_string(rest.size()) + " bytes after its " +
                    std::to_string(vocabulary) + " tokens; expected none, as the model has that many");
  return pieces;
}

// run.c finds bytes by their number.
void check_bytes(const std::vector<Piece>& pieces, const std::string& source) {
  if (pieces.size() < kFirst)
    throw SpecError(source + ": has " + std::to_string(pieces.size()) +
                    " tokens; expected three, those of the 256 bytes, and others");
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::array<char, 8> expected_text{};
    std::snprintf(expected_text.data(), expected_text.size(), "<0x%02X>", static_cast<unsigned>(byte));
    const std::string expected = expected_text.data();
    const std::size_t token = kBytes + byte;
    if (pieces[token].text != expected)
      throw SpecError(of_token(source, token) + " is '" + theory::printable(pieces[token].text, 40) +
                      "'; expected '" + expected + "'");
  }
}

// As Llama's kind writes it.
std::string written(std::string_view text, std::size_t token, const std::string& source) {
  std::string result;
  while (!text.empty()) {
    const std::string_view character = theory::first_character(text);
    const bool is_text = character.size() > 1 || static_cast<unsigned char>(character.front()) < 0x80;
    if (!is_text || character == kLlamaSpace)
      throw SpecError(of_token(source, token) + " is not text in UTF-8 without U+2581; expected that");
    result += character == " " ? kLlamaSpace : character;
    text.remove_prefix(character.size());
  }
  return result;
}

struct Merge {
  float score = 0;
  std::size_t token = 0;
  std::string left, right;
};

// Every way to put a piece together from two others; the piece of the highest score comes first.
std::vector<Merge> merges_of(const std::map<std::string, std::size_t>& numbers,
                             const std::vector<Piece>& pieces, const std::string& source) {
  std::vector<Merge> merges;
  for (const auto& [text, token] : numbers) {
    for (std::size_t at = theory::first_character(text).size(); at < text.size();
         at += theory::first_character(std::string_view(text).substr(at)).size()) {
      const std::string left = text.substr(0, at);
      const std::string right = text.substr(at);
      if (numbers.contains(left) && numbers.contains(right))
        merges.push_back({pieces[token].score, token, left, right});
    }
  }
  std::ranges::stable_sort(merges, [](const Merge& a, const Merge& b) {
    return a.score != b.score ? a.score > b.score : a.token < b.token;
  });
  for (std::size_t i = 1; i < merges.size(); ++i) {
    if (merges[i].score == merges[i - 1].score && merges[i].token != merges[i - 1].token)
      throw SpecError(of_token(source, merges[i].token) + " and token " +
                      std::to_string(merges[i - 1].token) + " have one score, " + decimal(merges[i].score) +
                      "; expected different ones, which say what is merged first");
  }
  return merges;
}

Json added_token(std::size_t number, std::string_view text) {
  return {{"id", number},    {"content", text},     {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

Json tokenizer_json(const Json& added, const Json& numbers, const Json& merges) {
  const Json model = {{"type", "BPE"},
                      {"dropout", nullptr},
                      {"unk_token", "<unk>"},
                      {"continuing_subword_prefix", nullptr},
                      {"end_of_word_suffix", nullptr},
                      {"fuse_unk", true},
                      {"byte_fallback", true},
                      {"ignore_merges", false},
                      {"vocab", numbers},
                      {"merges", merges}};
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", added},
          {"normalizer", llama_normalizer()},
          {"pre_tokenizer", nullptr},
          {"post_processor", nullptr},
          {"decoder", llama_decoder()},
          {"model", model}};
}

}  // namespace

std::string llama2c_tokenizer(const fs::path& file, std::int64_t vocabulary) {
  const std::string source = file.string();
  const std::vector<Piece> pieces = read_pieces(file, vocabulary);
  check_bytes(pieces, source);
  const std::array<std::string_view, kBytes> special = {"<unk>", kEndOfText, "</s>"};
  Json added = Json::array();
  std::map<std::string, std::size_t> numbers;
  std::map<std::string, std::size_t> ordinary;
  for (std::size_t token = 0; token < pieces.size(); ++token) {
    const std::string text =
        token < kBytes ? std::string(special[token]) : written(pieces[token].text, token, source);
    if (!numbers.emplace(text, token).second)
      throw SpecError(of_token(source, token) + ": there is another '" + theory::printable(text, 40) +
                      "'; expected each once");
    if (token < kBytes) added.push_back(added_token(token, text));
    if (token >= kFirst) ordinary.emplace(text, token);
  }
  Json merges = Json::array();
  for (const Merge& merge : merges_of(ordinary, pieces, source)) merges.push_back({merge.left, merge.right});
  return tokenizer_json(added, numbers, merges).dump(1) + "\n";
}

}  // namespace gpe::model
