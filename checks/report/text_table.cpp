#include "checks/report/text_table.h"

#include <algorithm>

namespace gpe::checks {

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string toned(const std::string& text, Tone tone, bool color) {
  if (!color || text.empty()) return text;
  const char* code = "";
  switch (tone) {
    case Tone::plain:
      return text;
    case Tone::good:
      code = "\033[32m";
      break;
    case Tone::bad:
      code = "\033[31m";
      break;
    case Tone::mixed:
      code = "\033[33m";
      break;
    case Tone::unsure:
      code = "\033[35m";
      break;
    case Tone::faint:
      code = "\033[2m";
      break;
    case Tone::strong:
      code = "\033[1m";
      break;
  }
  return code + text + "\033[0m";
}

std::string TextTable::text(bool color, int indent) const {
  const auto is_heading = [&](std::size_t row) { return std::ranges::find(heading_, row) != heading_.end(); };
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (is_heading(i)) continue;
    for (std::size_t k = 0; k < rows_[i].size(); ++k) {
      if (widths.size() <= k) widths.push_back(0);
      widths[k] = std::max(widths[k], width_of(rows_[i][k].text));
    }
  }
  std::string result;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (is_heading(i)) {
      result += toned(rows_[i].front().text, rows_[i].front().tone, color) + "\n";
      continue;
    }
    std::string line(static_cast<std::size_t>(indent), ' ');
    std::size_t pending = 0;  // spaces owed before the next cell, so that no line ends in spaces
    for (std::size_t k = 0; k < rows_[i].size(); ++k) {
      const Cell& cell = rows_[i][k];
      if (!cell.text.empty()) {
        line += std::string(pending, ' ') + toned(cell.text, cell.tone, color);
        pending = 0;
      }
      pending += widths[k] - width_of(cell.text) + 2;
    }
    result += line + "\n";
  }
  return result;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::string result;
  std::size_t column = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const std::size_t length = width_of(word);
    if (column > 0 && column + 1 + length > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > 0) {
      result += ' ';
      ++column;
    }
    result += word;
    column += length;
    at = end + 1;
  }
  return result;
}

}  // namespace gpe::checks
