// Tables as aligned text, with optional colour that does not count in the widths, as Markdown and as LaTeX.
// Tests: tests/cli/documentation.cmake, tests/cli/output.cmake, tests/cli/formats.cmake
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
  /// With pipes; the first row is the head.
  std::string markdown() const;
  /// With the rules of the package booktabs; the first row is the head.
  std::string latex() const;

 private:
  bool is_heading(std::size_t row) const;
  std::size_t columns() const;
  std::vector<std::vector<Cell>> rows_;
  std::vector<std::size_t> heading_;
};

/// The tables, in the order of the words: "% \\usepackage{booktabs}", the notes as comments, the tables.
std::string latex_page(const std::vector<std::string>& notes, const std::vector<TextTable>& tables);
std::string escaped_markdown(const std::string& text);
/// For LaTeX outside mathematics: special characters kept as characters.
std::string escaped_latex(const std::string& text);
std::string toned(const std::string& text, Tone tone, bool color);
/// Columns of a text, counting UTF-8 characters.
std::size_t width_of(const std::string& text);
/// Breaks at spaces into lines of at most `width` columns; later lines get `indent` spaces.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

}  // namespace gpe::checks
