// A file of tokens as nanoGPT has them (16-bit little-endian, nothing else), with what prepare-data wrote
// beside it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/data/mapped_file.h"

namespace gpe::model {

/// Tokens [begin, end) of a file: a text and the end token after it (which the last one may lack).
struct Document {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  friend bool operator==(const Document&, const Document&) = default;
};

class TokenFile {
 public:
  /// NAME.bin, and NAME.json when it lies beside it (docs/data.md): without it the vocabulary and the end
  /// token are not known. Only the length of the tokens is compared with it; `check` reads them.
  /// @throws theory::SpecError  one message that names the file
  explicit TokenFile(const std::filesystem::path& file);

  std::span<const std::uint16_t> tokens() const { return tokens_; }
  /// Greatest possible token plus one.
  std::optional<std::int64_t> vocabulary() const { return vocabulary_; }
  std::optional<std::uint16_t> end_of_text() const { return end_of_text_; }
  /// Of the bytes, as the JSON says.
  std::optional<std::string> sha256() const { return sha256_; }
  /// The digest of the bytes: that of the JSON, or else computed. Reads the whole file.
  std::string bytes_sha256() const;
  /// The name of tokenizer.json beside these tokens; nothing when the tokens are bytes, no text, or not
  /// known.
  std::optional<std::string> tokenizer() const { return tokenizer_; }
  /// Its text. @pre tokenizer()
  /// @throws theory::SpecError  it does not lie in the folder of the tokens, or has not the checksum of the
  /// JSON
  std::string tokenizer_text() const;

  /// Cut after every end token; one document when the end token is not known. Reads the whole file.
  std::vector<Document> documents() const;

  /// Reads the whole file: the checksum is that of the JSON, and every token is below `vocabulary` (and below
  /// that of the JSON).
  /// @throws theory::SpecError
  void check(std::int64_t vocabulary) const;

 private:
  void read_description(const std::filesystem::path& file);

  std::string source_;
  std::filesystem::path folder_;
  MappedFile file_;
  std::span<const std::uint16_t> tokens_;
  std::optional<std::int64_t> vocabulary_;
  std::optional<std::uint16_t> end_of_text_;
  std::optional<std::string> sha256_;
  std::optional<std::string> tokenizer_;
  std::optional<std::string> tokenizer_sha256_;
};

}  // namespace gpe::model
