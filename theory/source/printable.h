// Text from outside, as it may be printed: no line that a file forges, nothing that a terminal acts on,
// nothing that hides what stands there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpe::theory {

/// The bytes of the first character of a text that is not empty; one byte where they are no UTF-8.
std::string_view first_character(std::string_view text);
/// Whether the character is seen as what it is: no control character, no mark without width or that turns the
/// direction of writing, no separator of lines, no byte that is not UTF-8.
bool is_visible(std::string_view character);

inline constexpr std::size_t kMaxPrinted = 500;  ///< characters

/// One line: what is_visible denies becomes \n, \t, \r, \u202e, or \xff for a byte that is not UTF-8; of a
/// longer text the first `most` characters, and "…".
std::string printable(std::string_view text, std::size_t most = kMaxPrinted);
/// Lines, of any length: the same, but line breaks and tabs stay; so do colours ("\033[31m") where `color`.
/// JSON and TOML keep their meaning.
std::string printable_lines(std::string_view text, bool color = false);
/// The bytes at the end that begin a character of UTF-8 and do not end it: of a text that comes in parts,
/// they wait for the next.
std::size_t unfinished(std::string_view text);
/// A message: a first line and those that belong to it, which begin with two spaces; any other line break is
/// \n.
std::string printable_message(std::string_view text);

/// A string of TOML in its quotes; what is below a space becomes one.
std::string quoted_toml(std::string_view text);

}  // namespace gpe::theory
