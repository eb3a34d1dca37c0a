// Where in a token file names are asked for, how far back they stand, and what the answers are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "model/data/token_file.h"

namespace gpe::model {

/// Places in the file. The answer is the tokens query_at + 1 ... answer_end - 1, and stands at name_at too.
struct PlantedReference {
  std::size_t document = 0;  ///< where its story begins
  std::size_t name_at = 0;
  std::size_t query_at = 0;
  std::size_t answer_end = 0;
  std::string creature;
  std::string name;

  /// In tokens, from the first token of the name to the token that predicts the answer: the n of A(n).
  std::size_t distance() const { return query_at - name_at; }
  std::size_t answer_size() const { return answer_end - query_at - 1; }
  friend bool operator==(const PlantedReference&, const PlantedReference&) = default;
};

struct AnswerKey {
  std::string tokens_sha256;
  std::uint64_t seed = 0;
  std::vector<PlantedReference> references;
  /// First tokens of the names that answers are drawn from, all different: who guesses is right once in as
  /// many. Empty when first tokens do not tell the names apart.
  std::vector<std::uint16_t> candidates;
};

/// The key of NAME.bin lies beside it, in NAME.answers.json.
std::filesystem::path answer_key_file(const std::filesystem::path& token_file);

/// @throws std::runtime_error  when the file cannot be written
void write_answer_key(const std::filesystem::path& file, const AnswerKey& key);

/// Reads a key and holds it against its token file: checksum, order of the places, distances, and that the
/// answers are the tokens that the name stands in.
/// @throws theory::SpecError  one message that names the file
AnswerKey read_answer_key(const std::filesystem::path& file, const TokenFile& tokens);

}  // namespace gpe::model
