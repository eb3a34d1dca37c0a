#include "theory/expression/toml_document.h"

#include "theory/expression/byte_order_mark.h"
#include "theory/expression/habits.h"

namespace gpe::theory {

SpecError toml_error(std::string_view source, std::string_view text, std::size_t line, std::size_t column,
                     std::string_view description) {
  std::string_view rest = without_mark(text);
  for (std::size_t i = 1; i < line; ++i) rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  const std::string_view here = rest.substr(0, rest.find('\n'));
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto characters = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::ranges::count_if(here.substr(from, to - from), is_start));
  };
  std::size_t bytes = 0;  // of the line before the column, which counts characters
  for (std::size_t left = column; bytes < here.size(); ++bytes) {
    if (is_start(here[bytes]) && --left == 0) break;
  }
  const Unquoted value = unquoted_value(here, bytes);
  if (value.message.empty()) return error_at(source, text, line, column, 1, description);
  return error_at(source, text, line, characters(0, value.begin) + 1,
                  std::max<std::size_t>(1, characters(value.begin, value.end)), value.message);
}

}  // namespace gpe::theory
