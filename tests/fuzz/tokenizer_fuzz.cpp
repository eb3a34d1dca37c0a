// Any bytes as a tokenizer, tokenizer.json, or vocab.json and merges.txt with a byte 0xff between them: one
// that gives every text back, or a SpecError that names the file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/data/tokenizer.h"
#include "tests/temporary_folder.h"
#include "theory/expression/spec_error.h"

namespace {

using namespace gpe::model;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const gpe::tests::TemporaryFolder one;
  static const gpe::tests::TemporaryFolder two;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::size_t end = bytes.find('\xff');
  const gpe::tests::TemporaryFolder& folder = end == std::string_view::npos ? one : two;
  if (&folder == &one) {
    one.write("tokenizer.json", bytes);
  } else {
    two.write("vocab.json", bytes.substr(0, end));
    two.write("merges.txt", bytes.substr(end + 1));
  }
  try {
    const Tokenizer tokenizer = Tokenizer::load(folder.path());
    const std::string text = "A story\xc3\xa9  \n\t12 " + std::string(bytes.substr(0, 200));
    for (const auto& tokens : {tokenizer.encode_ordinary(text), tokenizer.encode(text)}) {
      require(std::ranges::all_of(tokens, [&](Token t) { return t >= 0 && t < tokenizer.vocabulary_size(); }),
              "a token that is none");
      require(tokenizer.decode(tokens) == text, "another text");
    }
  } catch (const gpe::theory::SpecError& error) {
    require(std::string_view(error.what()).find(folder.path().string()) != std::string_view::npos,
            "a message that does not say where");
  }
  return 0;
}
