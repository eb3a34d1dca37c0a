#include "theory/source/spec_error.h"

#include <algorithm>

#include "theory/source/byte_order_mark.h"
#include "theory/source/printable.h"

namespace gpe::theory {

namespace {

constexpr std::size_t kWindow = 100;  // characters of the line that are shown

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

std::string_view line_of(std::string_view text, std::size_t line) {
  for (std::size_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, std::min(text.find('\n'), text.find('\r')));
}

// As many columns as characters: the carets of the next line stand below the right ones.
std::string in_columns(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    result += is_visible(character) ? character : std::string_view(" ");
    text.remove_prefix(character.size());
  }
  return result;
}

}  // namespace

SpecError error_at(std::string_view source, std::string_view text, std::size_t line, std::size_t column,
                   std::size_t length, std::string_view message) {
  std::string what = printable(source) + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " +
                     printable(message);
  const std::string_view whole = line_of(without_mark(text), line);
  // Cut a long line around the place, on character boundaries.
  std::size_t characters = 0;
  const std::size_t skip = column > kWindow / 2 ? column - kWindow / 2 : 0;
  std::string shown;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (starts_character(whole[i])) ++characters;
    if (characters <= skip) continue;
    if (characters > skip + kWindow) break;
    shown += whole[i];
  }
  if (shown.empty()) return SpecError(what);
  const std::size_t indent = column - 1 - skip;
  const std::size_t carets = std::max<std::size_t>(1, std::min(length, kWindow - std::min(kWindow, indent)));
  what += "\n  " + in_columns(shown) + "\n  " + std::string(indent, ' ') + "^" + std::string(carets - 1, '~');
  return SpecError(what);
}

SpecError error_in_argument(std::string_view source, std::string_view text, std::size_t begin,
                            std::size_t end, std::string_view message) {
  const auto characters = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::count_if(
        text.begin() + static_cast<std::ptrdiff_t>(std::min(from, text.size())),
        text.begin() + static_cast<std::ptrdiff_t>(std::min(to, text.size())), starts_character));
  };
  return error_at(source, text, 1, characters(0, begin) + 1, std::max<std::size_t>(1, characters(begin, end)),
                  message);
}

}  // namespace gpe::theory
