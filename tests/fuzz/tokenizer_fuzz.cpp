// Any bytes as a tokenizer, tokenizer.json, or vocab.json and merges.txt with a byte 0xff between them: one
// that gives every text back, or a SpecError that names the file.
#include <algorithm>

#include "model/data/tokenizer.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/temporary_folder.h"

void gpe::fuzz::read(std::string_view bytes) {
  static const tests::TemporaryFolder one;
  static const tests::TemporaryFolder two;
  const std::size_t end = bytes.find('\xff');
  const tests::TemporaryFolder& folder = end == std::string_view::npos ? one : two;
  if (&folder == &one) {
    one.write("tokenizer.json", bytes);
  } else {
    two.write("vocab.json", bytes.substr(0, end));
    two.write("merges.txt", bytes.substr(end + 1));
  }
  refusal(folder.path().string(), [&] {
    const auto tokenizer = model::Tokenizer::load(folder.path());
    const std::string text = "A story\xc3\xa9  \n\t12 " + std::string(bytes.substr(0, 200));
    const bool is_llama = tokenizer.decode(tokenizer.encode_ordinary("a")) == " a";
    for (const auto& tokens : {tokenizer.encode_ordinary(text), tokenizer.encode(text)}) {
      const auto is_known = [&](model::Token t) { return t >= 0 && t < tokenizer.vocabulary_size(); };
      require(std::ranges::all_of(tokens, is_known), "an unknown token");
      if (!is_llama) require(tokenizer.decode(tokens) == text, "another text");
    }
    if (is_llama) require(tokenizer.decode(tokenizer.encode_ordinary(text)) == " " + text, "another text");
  });
}
