// Any bytes as a token file, the JSON beside it and an answer key, in this order with a byte 0xff between
// them: documents that cover the tokens and a key inside of them, or a SpecError that names the file.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/data/answer_key.h"
#include "tests/temporary_folder.h"
#include "theory/expression/spec_error.h"

namespace {

using namespace gpe::model;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

std::string_view next_part(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\xff'), rest.size());
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

void read(const TokenFile& file, const gpe::tests::TemporaryFolder& folder) {
  std::size_t at = 0;
  for (const Document& document : file.documents()) {
    require(document.begin == at && document.end > at, "documents that do not follow each other");
    at = document.end;
  }
  require(at == file.tokens().size(), "tokens outside of every document");
  const AnswerKey key = read_answer_key(folder / "a.answers.json", file);
  for (const PlantedReference& reference : key.references)
    require(reference.answer_end <= file.tokens().size() && reference.answer_size() > 0, "an answer outside");
  for (const std::uint16_t candidate : key.candidates)
    require(candidate < file.vocabulary().value_or(65536), "a token outside of the vocabulary");
  if (file.tokenizer()) file.tokenizer_text();
  file.check(65536);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gpe::tests::TemporaryFolder folder;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  folder.write("a.bin", next_part(rest));
  folder.write("a.json", next_part(rest));
  folder.write("a.answers.json", rest);
  try {
    read(TokenFile(folder / "a.bin"), folder);
  } catch (const gpe::theory::SpecError& error) {
    require(std::string_view(error.what()).find(folder.path().string()) != std::string_view::npos,
            "a message that does not say where");
  }
  return 0;
}
