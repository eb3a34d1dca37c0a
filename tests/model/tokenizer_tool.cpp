// What tokenizer_test.py asks of the C++ side. A text is a file; its answers are lines of numbers.
//   tokenizer_tool split FILE...                lengths of the words in bytes
//   tokenizer_tool classes                      L, N, S or O for every character, without surrogates
//   tokenizer_tool encode PLACE FILE...         tokens; PLACE is a folder, tokenizer.json, or "bytes"
//   tokenizer_tool round-trip PLACE FILE...     "same" when the tokens of the file decode to it
#include <cstdio>
#include <span>
#include <string>

#include "model/data/character_class.h"
#include "model/data/mapped_file.h"
#include "model/data/split_words.h"
#include "model/data/tokenizer.h"
#include "theory/source/spec_error.h"

namespace {

using namespace gpe::model;

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

void print_classes() {
  std::string line;
  for (char32_t character = 0; character <= 0x10FFFF; ++character) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    line += "LNSO"[static_cast<int>(character_class(character))];
  }
  std::puts(line.c_str());
}

template <class Numbers>
void print(const Numbers& numbers) {
  std::string line;
  for (const auto number : numbers) line += std::to_string(number) + " ";
  std::puts(line.c_str());
}

int run(std::span<char*> arguments) {
  const std::string command = arguments.size() > 1 ? arguments[1] : "";
  if (command == "classes") {
    print_classes();
  } else if (command == "split") {
    for (const char* const name : arguments.subspan(2)) {
      std::vector<std::size_t> lengths;
      const MappedFile file(name);
      for (const std::string_view word : split_words(text_of(file))) lengths.push_back(word.size());
      print(lengths);
    }
  } else if ((command == "encode" || command == "round-trip") && arguments.size() > 2) {
    const std::string place = arguments[2];
    const Tokenizer tokenizer = place == "bytes" ? Tokenizer::bytes() : Tokenizer::load(place);
    for (const char* const name : arguments.subspan(3)) {
      const MappedFile file(name);
      const auto tokens = tokenizer.encode(text_of(file));
      if (command == "encode") {
        print(tokens);
      } else {
        std::puts(tokenizer.decode(tokens) == text_of(file) ? "same" : "another");
      }
    }
  } else {
    std::fputs("tokenizer_tool: expected split, classes, encode or round-trip\n", stderr);
    return 2;
  }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return run(std::span(arguments, static_cast<std::size_t>(count)));
  } catch (const gpe::theory::SpecError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
