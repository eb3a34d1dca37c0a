// Token files for tests, with the JSON that prepare-data writes beside them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"
#include "theory/source/sha256.h"

namespace gpe::tests {

inline std::string as_bytes(const std::vector<std::uint16_t>& tokens) {
  std::string bytes;
  for (const std::uint16_t token : tokens) {
    bytes += static_cast<char>(token & 0xFFU);
    bytes += static_cast<char>(token >> 8U);
  }
  return bytes;
}

inline std::string description(const std::vector<std::uint16_t>& tokens, int vocabulary, int end_of_text) {
  return R"({"schema": 1, "tokens": )" + std::to_string(tokens.size()) + R"(, "vocabulary": )" +
         std::to_string(vocabulary) + R"(, "end_of_text": )" + std::to_string(end_of_text) +
         R"(, "sha256": ")" + theory::sha256_hex(as_bytes(tokens)) + R"(", "tokenizer": {"kind": "bytes"}})";
}

inline std::filesystem::path write_tokens(const TemporaryFolder& folder, const std::string& name,
                                          const std::vector<std::uint16_t>& tokens, int vocabulary,
                                          int end_of_text) {
  folder.write(name + ".json", description(tokens, vocabulary, end_of_text));
  return folder.write(name + ".bin", as_bytes(tokens));
}

}  // namespace gpe::tests
