// GPT-2's splitting of a text into the words that byte-pair encoding works inside.
#pragma once

#include <string_view>
#include <vector>

namespace gpe::model {

/// The pieces, in order; together they are the text. Those of the regular expression of GPT-2's encoder.py,
///   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
/// where a byte that is no UTF-8 counts as neither letter, number nor white space.
/// @return  views into the text
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace gpe::model
