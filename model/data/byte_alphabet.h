// GPT-2's alphabet of 256 visible characters, in which vocab.json, merges.txt and tokenizer.json write bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gpe::model {

/// The character that stands for a byte, in UTF-8: itself for visible ones of Latin-1, else one of U+0100 to
/// U+0143
/// ('Ġ' for a space), as bytes_to_unicode in GPT-2's encoder.py.
std::string_view visible(unsigned char byte);

/// The bytes that a text in this alphabet stands for; nothing when another character occurs.
std::optional<std::string> bytes_of_visible(std::string_view text);

}  // namespace gpe::model
