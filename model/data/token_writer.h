// Writes a token file and the JSON beside it, as prepare-data does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace gpe::model {

struct TokenDescription {
  std::string program;
  std::int64_t vocabulary = 0;
  std::uint16_t end_of_text = 0;
  std::size_t documents = 0;
  std::filesystem::path tokenizer;  ///< a tokenizer.json, which is copied beside the tokens; empty: bytes
  bool text = true;                 ///< whether tokens are text at all
};

/// FILE.bin, its JSON, and tokenizer.json, each whole or not at all. Returns the checksum of the tokens.
/// @throws std::runtime_error  when a file cannot be written
std::string write_tokens(const std::filesystem::path& file, std::span<const std::uint16_t> tokens,
                         const TokenDescription& description);

}  // namespace gpe::model
