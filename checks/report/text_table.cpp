#include "checks/report/text_table.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

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

bool TextTable::is_heading(std::size_t row) const {
  return std::ranges::find(heading_, row) != heading_.end();
}

std::size_t TextTable::columns() const {
  std::size_t most = 0;
  for (const std::vector<Cell>& row : rows_) most = std::max(most, row.size());
  return most;
}

std::string TextTable::text(bool color, int indent) const {
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

std::string escaped_markdown(const std::string& text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    // A backslash stands for itself before letters and digits alone.
    const bool before_letters =
        i + 1 < text.size() && std::isalnum(static_cast<unsigned char>(text[i + 1])) != 0;
    const bool is_special = std::string_view("`[|*_<").find(text[i]) != std::string_view::npos;
    if (is_special || (text[i] == '\\' && !before_letters)) result += '\\';
    result += text[i] == '\n' ? ' ' : text[i];
  }
  return result;
}

std::string TextTable::markdown() const {
  std::string result;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    result += "|";
    for (const Cell& cell : rows_[i]) {
      const std::string text = escaped_markdown(cell.text);
      result += " " + (is_heading(i) ? "**" + text + "**" : text) + " |";
    }
    for (std::size_t k = rows_[i].size(); k < columns(); ++k) result += "  |";
    result += "\n";
    if (i > 0) continue;
    result += "|";
    for (std::size_t k = 0; k < columns(); ++k) result += "---|";
    result += "\n";
  }
  return result;
}

std::string escaped_latex(const std::string& text) {
  static const std::map<char, std::string> special = {{'\\', "\\textbackslash{}"},
                                                      {'{', "\\{"},
                                                      {'}', "\\}"},
                                                      {'$', "\\$"},
                                                      {'&', "\\&"},
                                                      {'#', "\\#"},
                                                      {'%', "\\%"},
                                                      {'_', "\\_"},
                                                      {'^', "\\^{}"},
                                                      {'~', "\\~{}"},
                                                      {'<', "{\\textless}"},
                                                      {'>', "{\\textgreater}"},
                                                      {'|', "{\\textbar}"},
                                                      {'\n', " "}};
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "…") == 0) {
      result += "\\ldots{}";
      i += 2;
      continue;
    }
    const auto found = special.find(text[i]);
    result += found == special.end() ? std::string(1, text[i]) : found->second;
  }
  return result;
}

namespace {

std::string latex_cell(const std::string& text) {
  std::string result = escaped_latex(text);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"{\\textless}=", "$\\le$"},
                                 std::pair<std::string, std::string>{"{\\textgreater}=", "$\\ge$"}}) {
    for (std::size_t at = 0; (at = result.find(from, at)) != std::string::npos; at += to.size())
      result.replace(at, from.size(), to);
  }
  return result;
}

}  // namespace

std::string TextTable::latex() const {
  std::string result = "\\begin{tabular}{" + std::string(columns(), 'l') + "}\n\\toprule\n";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (is_heading(i)) {
      result += "\\multicolumn{" + std::to_string(columns()) + "}{l}{\\emph{" +
                latex_cell(rows_[i].front().text) + "}} \\\\\n";
      continue;
    }
    for (std::size_t k = 0; k < rows_[i].size(); ++k)
      result += (k > 0 ? " & " : "") + latex_cell(rows_[i][k].text);
    result += i == 0 ? " \\\\\n\\midrule\n" : " \\\\\n";
  }
  return result + "\\bottomrule\n\\end{tabular}\n";
}

std::string latex_page(const std::vector<std::string>& notes, const std::vector<TextTable>& tables) {
  std::string text = "% \\usepackage{booktabs}\n";
  for (std::string note : notes) {
    std::ranges::replace(note, '\n', ' ');
    text += "% " + note + "\n";
  }
  for (const TextTable& table : tables) text += "\n" + table.latex();
  return text;
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
