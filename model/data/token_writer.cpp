#include "model/data/token_writer.h"
// Tests: tests/model/data/answer_key_test.cpp
#include <nlohmann/json.hpp>

#include "checks/cli/version.h"
#include "checks/cli/write_file.h"
#include "model/data/mapped_file.h"
#include "theory/source/sha256.h"

namespace gpe::model {

std::string write_tokens(const std::filesystem::path& file, std::span<const std::uint16_t> tokens,
                         const TokenDescription& description) {
  const std::string_view bytes(reinterpret_cast<const char*>(tokens.data()), tokens.size_bytes());
  const std::string sha256 = theory::sha256_hex(bytes);
  nlohmann::ordered_json tokenizer = {{"kind", description.text ? "bytes" : "none"}};
  if (!description.tokenizer.empty()) {
    const MappedFile mapped(description.tokenizer);
    const std::string text(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size());
    tokenizer = {{"kind", "bpe"}, {"file", "tokenizer.json"}, {"sha256", theory::sha256_hex(text)}};
    checks::write_file(file.parent_path() / "tokenizer.json", text);
  }
  const nlohmann::ordered_json content = {
      {"schema", 1},
      {"generator", {{"program", description.program}, {"version", kVersion}}},
      {"tokens", tokens.size()},
      {"dtype", "uint16"},
      {"sha256", sha256},
      {"vocabulary", description.vocabulary},
      {"end_of_text", description.end_of_text},
      {"tokenizer", tokenizer},
      {"documents", description.documents}};
  std::filesystem::path beside = file;
  beside.replace_extension(".json");
  std::filesystem::remove(beside);  // never a new file beside what an older one was
  checks::write_file(file, bytes);
  checks::write_file(beside, content.dump(2) + "\n");
  return sha256;
}

}  // namespace gpe::model
