#include "model/data/byte_alphabet.h"
// Tests: tests/model/data/tokenizer_test.cpp
#include <array>
#include <cstddef>
#include <unordered_map>

namespace gpe::model {
namespace {

std::string utf8_of_two_bytes(unsigned character) {  // U+0080 to U+07FF
  return {static_cast<char>(0xC0U | (character >> 6U)), static_cast<char>(0x80U | (character & 0x3FU))};
}

std::array<std::string, 256> make_alphabet() {
  std::array<std::string, 256> alphabet;
  unsigned next = 256;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool visible_itself = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte != 0xAD);
    const unsigned character = visible_itself ? byte : next++;
    alphabet[byte] =
        character < 0x80 ? std::string(1, static_cast<char>(character)) : utf8_of_two_bytes(character);
  }
  return alphabet;
}

const std::array<std::string, 256>& alphabet() {
  static const std::array<std::string, 256> made = make_alphabet();
  return made;
}

}  // namespace

std::string_view visible(unsigned char byte) { return alphabet()[byte]; }

std::optional<std::string> bytes_of_visible(std::string_view text) {
  static const auto byte_of = [] {
    std::unordered_map<std::string_view, char> map;
    for (std::size_t byte = 0; byte < 256; ++byte) map.emplace(alphabet()[byte], static_cast<char>(byte));
    return map;
  }();
  std::string bytes;
  while (!text.empty()) {
    const std::size_t length = static_cast<unsigned char>(text.front()) < 0x80 ? 1 : 2;
    const auto found = byte_of.find(text.substr(0, length));
    if (found == byte_of.end()) return std::nullopt;
    bytes += found->second;
    text.remove_prefix(length);
  }
  return bytes;
}

}  // namespace gpe::model
