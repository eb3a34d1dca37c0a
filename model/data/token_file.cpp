#include "model/data/token_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/cli/file_inside.h"
#include "checks/cli/read_json.h"
#include "theory/source/sha256.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

using nlohmann::json;
using theory::SpecError;

TokenFile::TokenFile(const std::filesystem::path& file)
    : source_(file.string()), folder_(file.parent_path()), file_(file) {
  const std::span<const std::byte> bytes = file_.bytes();
  if (bytes.size() % sizeof(std::uint16_t) != 0) {
    throw SpecError(source_ + ": " + std::to_string(bytes.size()) +
                    " bytes are not a whole number of 16-bit tokens; truncated?");
  }
  if (bytes.empty()) throw SpecError(source_ + ": has no tokens");
  tokens_ = {reinterpret_cast<const std::uint16_t*>(bytes.data()), bytes.size() / sizeof(std::uint16_t)};
  std::filesystem::path description = file;
  description.replace_extension(".json");
  if (description != file && std::filesystem::exists(description)) read_description(description);
}

void TokenFile::read_description(const std::filesystem::path& file) {
  const MappedFile mapped(file);
  const std::string_view text(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
  const json content = checks::read_json(text, file.string());
  const auto fail = [&](const std::string& what) { throw SpecError(file.string() + ": " + what); };
  if (!content.is_object()) fail("not a JSON object");
  const auto integer = [&](const char* name, std::int64_t most) {
    const auto found = content.find(name);
    if (found == content.end() || !found->is_number_integer() || *found < 0 || *found > most) {
      fail(std::string(name) + ": expected an integer from 0 to " + std::to_string(most));
    }
    return found->get<std::int64_t>();
  };
  const auto string = [&](const json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_string()) fail(std::string(name) + ": expected a string");
    return found->get<std::string>();
  };
  if (integer("schema", 1'000'000) != 1) fail("schema is not 1, which this program reads");
  const std::int64_t tokens = integer("tokens", std::int64_t{1} << 48U);
  if (static_cast<std::uint64_t>(tokens) != tokens_.size()) {
    fail("says " + std::to_string(tokens) + " tokens, " + source_ + " has " + std::to_string(tokens_.size()));
  }
  constexpr std::int64_t kMaxTokens = 1 << 16;
  vocabulary_ = integer("vocabulary", kMaxTokens);
  end_of_text_ = static_cast<std::uint16_t>(integer("end_of_text", kMaxTokens - 1));
  sha256_ = string(content, "sha256");
  const auto tokenizer = content.find("tokenizer");
  if (tokenizer == content.end() || !tokenizer->is_object()) fail("tokenizer: expected an object");
  const std::string kind = string(*tokenizer, "kind");
  if (kind == "bytes" || kind == "none") return;
  tokenizer_ = string(*tokenizer, "file");
  if (tokenizer->contains("sha256")) tokenizer_sha256_ = string(*tokenizer, "sha256");
}

std::string TokenFile::tokenizer_text() const {
  const std::filesystem::path file = checks::file_inside(folder_, tokenizer_.value());
  const MappedFile mapped(file);
  std::string text(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
  if (tokenizer_sha256_ && theory::sha256_hex(text) != *tokenizer_sha256_) {
    throw SpecError(file.string() + ": is not the tokenizer of " + source_ + " (sha256)");
  }
  return text;
}

std::string TokenFile::bytes_sha256() const {
  const std::string_view bytes(reinterpret_cast<const char*>(file_.bytes().data()), file_.bytes().size());
  return sha256_ ? *sha256_ : theory::sha256_hex(bytes);
}

std::vector<Document> TokenFile::documents() const {
  std::vector<Document> result;
  std::size_t begin = 0;
  while (begin < tokens_.size()) {
    std::size_t end = tokens_.size();
    if (end_of_text_) {
      const auto rest = tokens_.subspan(begin);
      const auto found = std::ranges::find(rest, *end_of_text_);
      if (found != rest.end()) end = begin + static_cast<std::size_t>(found - rest.begin()) + 1;
    }
    result.push_back({begin, end});
    begin = end;
  }
  return result;
}

void TokenFile::check(std::int64_t vocabulary) const {
  const std::int64_t bound = std::min(vocabulary, vocabulary_.value_or(vocabulary));
  const auto greatest = std::ranges::max_element(tokens_);
  if (*greatest >= bound) {
    throw SpecError(source_ + ": token " + std::to_string(*greatest) + " at position " +
                    std::to_string(greatest - tokens_.begin()) + " is not in the vocabulary of " +
                    std::to_string(bound));
  }
  const std::string_view bytes(reinterpret_cast<const char*>(file_.bytes().data()), file_.bytes().size());
  if (sha256_ && theory::sha256_hex(bytes) != *sha256_) {
    throw SpecError(source_ + ": its bytes are not those that the JSON beside it names (sha256)");
  }
}

}  // namespace gpe::model
