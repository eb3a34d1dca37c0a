// Tokenizers from files: tokenizer.json of the package tokenizers, or GPT-2's vocab.json and merges.txt.
// Tests: tests/model/data/tokenizer_test.cpp, tests/fuzz/tokenizer_fuzz.cpp
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "checks/cli/read_json.h"
#include "model/data/byte_alphabet.h"
#include "model/data/llama_pipeline.h"
#include "model/data/mapped_file.h"
#include "model/data/tokenizer.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using theory::SpecError;

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

json read_json(const fs::path& file) {
  const MappedFile mapped(file);
  return checks::read_json(text_of(mapped), file.string());
}

// A token or its part, as the file writes it, in bytes.
std::string from_file(std::string_view text, const TokenizerParts& parts, const std::string& where) {
  if (!parts.bytes.empty()) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      const bool is_space = text.substr(at).starts_with(kLlamaSpace);
      result += is_space ? ' ' : text[at];
      at += is_space ? kLlamaSpace.size() : 1;
    }
    return result;
  }
  auto bytes = bytes_of_visible(text);
  if (!bytes) throw SpecError(where + ": a character outside the alphabet that GPT-2 writes bytes in");
  return *bytes;
}

Token token_number(const json& value, const std::string& where) {
  if (!value.is_number_integer() || value < 0 || value > 1 << 30)
    throw SpecError(where + ": no token number");
  return value.get<Token>();
}

// The number of "<0x4A>", which stands for a byte in Llama's kind; "<0x4a>" does not.
std::optional<std::size_t> byte_of(std::string_view text) {
  std::size_t byte = 0;
  if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with(">")) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
  const bool is_byte =
      error == std::errc() && end == text.data() + 5 && text.find_first_of("abcdef") == text.npos;
  return is_byte ? std::optional(byte) : std::nullopt;
}

void read_vocabulary(const json& vocabulary, const std::string& source, TokenizerParts& parts) {
  if (!vocabulary.is_object()) throw SpecError(source + ": the vocabulary is not an object");
  const std::set<std::pair<std::string, Token>> added(parts.added.begin(), parts.added.end());
  for (const auto& [text, number] : vocabulary.items()) {
    const std::string where = source + ": vocabulary";
    const Token token = token_number(number, where);
    if (added.contains({text, token})) continue;
    if (const auto byte = parts.bytes.empty() ? std::nullopt : byte_of(text)) {
      parts.bytes[*byte] = token;
    } else {
      parts.vocabulary.emplace_back(from_file(text, parts, where), token);
    }
  }
}

void add_merge(std::string_view left, std::string_view right, const std::string& source,
               TokenizerParts& parts) {
  const std::string where = source + ": merge " + std::to_string(parts.merges.size() + 1);
  parts.merges.emplace_back(from_file(left, parts, where), from_file(right, parts, where));
}

// "LEFT RIGHT": neither contains a space, for which the alphabet has another character.
void add_merge(std::string_view line, const std::string& source, TokenizerParts& parts) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == line.size()) {
    throw SpecError(source + ": merge " + std::to_string(parts.merges.size() + 1) +
                    ": expected two tokens and a space between them");
  }
  add_merge(line.substr(0, space), line.substr(space + 1), source, parts);
}

TokenizerParts read_gpt2(const fs::path& folder) {
  TokenizerParts parts;
  const fs::path vocabulary_file = folder / "vocab.json";
  const json vocabulary = read_json(vocabulary_file);
  if (vocabulary.is_object() && vocabulary.contains(kEndOfText)) {
    parts.added.emplace_back(kEndOfText,
                             token_number(vocabulary.at(std::string(kEndOfText)), vocabulary_file));
  }
  read_vocabulary(vocabulary, vocabulary_file, parts);

  const fs::path merges_file = folder / "merges.txt";
  const MappedFile mapped(merges_file);
  std::string_view text = text_of(mapped);
  if (text.starts_with("#version")) text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) add_merge(text.substr(0, end), merges_file, parts);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// A member that, where it is there, has to be one of these for the tokenizer to be one that is read here.
void require(const json& object, const char* name, std::initializer_list<json> allowed,
             const std::string& where) {
  const auto found = object.find(name);
  if (found == object.end()) return;
  for (const json& value : allowed) {
    if (*found == value) return;
  }
  throw SpecError(where + ": " + name + " is " + found->dump().substr(0, 60) +
                  ", which is not read here; expected " + allowed.begin()->dump());
}

const json& member(const json& object, const char* name, const std::string& where) {
  const auto found = object.find(name);
  if (found == object.end()) throw SpecError(where + ": " + name + " is missing");
  return *found;
}

void require_type(const json& object, const char* name, const char* type, const std::string& where) {
  const json& value = member(object, name, where);
  if (!value.is_object() || value.value("type", json()) != type) {
    throw SpecError(where + ": " + name + " is not of the type " + type + ", the only one that is read here");
  }
}

// What the kind of GPT-2 has beside its vocabulary.
void require_gpt2(const json& content, const std::string& source) {
  require(content, "normalizer", {nullptr}, source);
  require_type(content, "pre_tokenizer", "ByteLevel", source);
  require(content.at("pre_tokenizer"), "add_prefix_space", {false}, source + ": pre_tokenizer");
  require(content.at("pre_tokenizer"), "use_regex", {true}, source + ": pre_tokenizer");
  require_type(content, "decoder", "ByteLevel", source);
  if (content.contains("post_processor") && !content.at("post_processor").is_null()) {
    require_type(content, "post_processor", "ByteLevel", source);
  }
}

// What the kind of Llama has: characters, whose bytes are tokens where they have none.
void require_llama(const json& content, const std::string& source) {
  for (const auto& [name, value] :
       {std::pair("normalizer", llama_normalizer()), std::pair("decoder", llama_decoder())}) {
    member(content, name, source);
    require(content, name, {value}, source);
  }
  for (const char* const name : {"pre_tokenizer", "post_processor"})
    require(content, name, {nullptr}, source);
}

void read_added(const json& content, const std::string& source, TokenizerParts& parts) {
  const std::string where = source + ": added_tokens";
  for (const json& added : content.value("added_tokens", json::array())) {
    if (!added.is_object() || !member(added, "content", where).is_string())
      throw SpecError(where + ": no content");
    for (const char* const name : {"single_word", "lstrip", "rstrip"}) require(added, name, {false}, where);
    parts.added.emplace_back(added.at("content").get<std::string>(),
                             token_number(member(added, "id", where), where));
  }
}

void read_merges(const json& model, const std::string& source, TokenizerParts& parts) {
  for (const json& merge : member(model, "merges", source + ": model")) {
    if (merge.is_string()) {
      add_merge(merge.get<std::string>(), source, parts);
    } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      add_merge(merge[0].get<std::string>(), merge[1].get<std::string>(), source, parts);
    } else {
      throw SpecError(source + ": merge " + std::to_string(parts.merges.size() + 1) +
                      ": expected two tokens");
    }
  }
}

TokenizerParts read_tokenizer_json(const fs::path& file) {
  const std::string source = file.string();
  const json content = read_json(file);
  if (!content.is_object()) throw SpecError(source + ": not an object");
  const auto named = content.find("model");
  const bool is_llama =
      named != content.end() && named->is_object() && named->value("byte_fallback", json()) == true;
  require(content, "truncation", {nullptr}, source);
  require(content, "padding", {nullptr}, source);
  is_llama ? require_llama(content, source) : require_gpt2(content, source);
  require_type(content, "model", "BPE", source);
  const json& model = content.at("model");
  require(model, "dropout", {nullptr}, source + ": model");
  for (const char* const name : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    require(model, name, {nullptr, ""}, source + ": model");
  }
  require(model, "ignore_merges", {false}, source + ": model");
  if (!is_llama) {
    require(model, "unk_token", {nullptr}, source + ": model");
    require(model, "byte_fallback", {false}, source + ": model");
  }

  TokenizerParts parts;
  if (is_llama) parts.bytes.assign(256, -1);
  read_added(content, source, parts);
  read_vocabulary(member(model, "vocab", source + ": model"), source, parts);
  read_merges(model, source, parts);
  return parts;
}

}  // namespace

Tokenizer Tokenizer::load(const fs::path& place) {
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) return make(read_tokenizer_json(place), place.string());
  if (fs::exists(place / "tokenizer.json", ignored)) return load(place / "tokenizer.json");
  if (fs::exists(place / "vocab.json", ignored)) return make(read_gpt2(place), place.string());
  throw SpecError(place.string() + ": neither tokenizer.json nor vocab.json and merges.txt in this folder");
}

}  // namespace gpe::model
