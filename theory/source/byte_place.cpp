#include "theory/source/byte_place.h"

#include <algorithm>

#include "theory/source/byte_order_mark.h"

namespace gpe::theory {

SpecError error_at_byte(std::string_view source, std::string_view text, std::size_t at,
                        std::string_view message, std::size_t length) {
  const std::string_view shown = without_mark(text);
  const std::string_view before = shown.substr(0, at - std::min(at, text.size() - shown.size()));
  const std::string_view line = before.substr(before.rfind('\n') + 1);
  const auto lines = static_cast<std::size_t>(std::ranges::count(before, '\n'));
  const auto column = static_cast<std::size_t>(
      std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
  return error_at(source, shown, lines + 1, column + 1, length, message);
}

}  // namespace gpe::theory
