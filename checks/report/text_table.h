// Aligned columns of text, with optional colour that does not count in the widths.
// Tests: tests/cli/documentation.cmake, tests/cli/output.cmake
#pragma once

#include <string>
#include <vector>

namespace gpe::checks {

enum class Tone { plain, good, bad, mixed, unsure, faint, strong };

struct Cell {
  std::string text;
  Tone tone = Tone::plain;
};

class TextTable {
 public:
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// A line across all columns.
  void add_heading(const std::string& text, Tone tone = Tone::strong) {
    rows_.push_back({Cell{text, tone}});
    heading_.push_back(rows_.size() - 1);
  }
  /// @param indent  spaces before every row but headings; the last column is not padded
  std::string text(bool color, int indent = 2) const;

 private:
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::size_t> heading_;
};

std::string toned(const std::string& text, Tone tone, bool color);
/// Columns of a text, counting UTF-8 characters.
std::size_t width_of(const std::string& text);
/// Breaks at spaces into lines of at most `width` columns; later lines get `indent` spaces.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace gpe::checks
