#include "theory/source/unquoted_value.h"

#include <algorithm>

namespace gpe::theory {

namespace {

constexpr std::string_view kSpace = " \t\r";

std::string_view without_quotes(std::string_view text) {
  for (const std::string_view quote : {"\"", "'", "“", "”", "„", "‘", "’", "`"}) {
    if (text.starts_with(quote)) text.remove_prefix(quote.size());
    if (text.ends_with(quote)) text.remove_suffix(quote.size());
  }
  return text;
}

// Of a list that opens at `open`: the value before or at the mistake at byte `column`.
Unquoted unquoted_item(std::string_view line, std::size_t open, std::size_t column) {
  const std::size_t before = line.find_last_of("[,", std::max(column, open + 1) - 1);
  const std::size_t begin = line.find_first_not_of(kSpace, before + 1);
  if (begin == std::string_view::npos) return {};
  std::size_t end = std::min(line.find_first_of(",]#", begin), line.size());
  while (end > begin && kSpace.find(line[end - 1]) != std::string_view::npos) --end;
  const std::string item(line.substr(begin, end - begin));
  if (item.find_first_of("\"'[{") != std::string::npos ||
      item.find_first_not_of("0123456789 \t") == std::string::npos)
    return {};
  return {begin, end, "a formula or a fraction is text, in quotes: write \"" + item + "\""};
}

}  // namespace

Unquoted unquoted_value(std::string_view line, std::size_t column) {
  const std::size_t equals = line.substr(0, column).rfind('=');
  if (equals == std::string_view::npos) return {};
  const std::size_t begin = line.find_first_not_of(kSpace, equals + 1);
  if (begin != std::string_view::npos && line[begin] == '[') return unquoted_item(line, begin, column);
  if (begin == std::string_view::npos ||
      std::string_view("\"'[{#").find(line[begin]) != std::string_view::npos)
    return {};
  const std::string_view before = line.substr(0, equals);
  if (std::ranges::count(before, '"') % 2 != 0 || std::ranges::count(before, '\'') % 2 != 0) return {};
  // An entry of a table on one line ends before the next key, or with the table.
  const bool inside = before.find('{') != std::string_view::npos;
  std::size_t end = std::min(line.find('#', begin), line.size());
  if (inside) end = std::min({end, line.find('}', begin), line.find(", ", begin)});
  while (end > begin && kSpace.find(line[end - 1]) != std::string_view::npos) --end;
  std::string_view key = before.substr(0, before.find_last_not_of(kSpace) + 1);
  if (const std::size_t start = key.find_last_of(" \t{,"); start != std::string_view::npos)
    key.remove_prefix(start + 1);
  const std::string value(without_quotes(line.substr(begin, end - begin)));
  return {begin, end,
          "a formula or a fraction is text, in quotes: write " + std::string(key) + " = \"" + value + "\""};
}

}  // namespace gpe::theory
