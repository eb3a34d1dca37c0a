#include "theory/source/csv_table.h"

#include <sstream>
#include <vector>

#include "theory/source/byte_place.h"

namespace gpe::theory {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::string_view blank = " \t\r";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return text.substr(0, 0);
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

// Which value column is that of this head and layer.
std::optional<std::size_t> value_column(std::size_t columns, const TableColumn& column) {
  const auto heads = static_cast<std::size_t>(column.heads);
  const auto layers = static_cast<std::size_t>(column.layers);
  if (columns == 1) return 0;
  if (columns == heads) return static_cast<std::size_t>(column.h - 1);
  if (columns == heads * layers)
    return static_cast<std::size_t>(column.layer - 1) * heads + static_cast<std::size_t>(column.h - 1);
  return std::nullopt;
}

}  // namespace

std::string not_exact(std::string_view text) {
  return "'" + std::string(text) +
         "' is not an exact number (integer, fraction a/b, or decimal) of at most 20000 digits";
}

std::shared_ptr<const Table> table_of_text(const std::string& name, const std::string& given,
                                           const std::string& file, Beyond beyond,
                                           const TableColumn& column) {
  auto table = std::make_shared<Table>();
  table->name = name;
  table->beyond = beyond;
  constexpr std::string_view kMark = "\xef\xbb\xbf";  // of UTF-8
  const std::string text = given.starts_with(kMark) ? given.substr(kMark.size()) : given;
  std::istringstream lines(text);
  std::string line;
  std::size_t columns = 0;
  for (std::size_t begin = 0; std::getline(lines, line); begin += line.size() + 1) {
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    const auto error = [&](std::string_view part, const std::string& message) {
      const auto at = static_cast<std::size_t>(part.data() - line.data());
      return error_at_byte(file, text, begin + at, message, part.size());
    };
    const std::vector<std::string_view> cells = cells_of(content);
    const auto index = Rational::parse(cells[0]);
    const bool is_title = !cells[0].empty() && cells[0].find_first_of("0123456789+-.") != 0;
    if (is_title && columns == 0 && table->values.empty()) {
      columns = cells.size();
      continue;
    }
    if (cells.size() < 2) throw error(content, "expected an index, a comma and a value");
    if (columns != 0 && cells.size() != columns)
      throw error(content, std::to_string(cells.size()) + " columns, expected " + std::to_string(columns));
    columns = cells.size();
    const auto chosen = value_column(columns - 1, column);
    if (!chosen)
      throw error(content, std::to_string(columns - 1) + " value columns, with --heads " +
                               std::to_string(column.heads) + " and --layers " +
                               std::to_string(column.layers) +
                               "; expected one, one per head, or one per layer and head");
    const auto whole = index ? index->to_int64() : std::nullopt;
    if (!whole)
      throw error(cells[0], "index '" + std::string(cells[0]) + "' is not a whole number" +
                                (index && index->is_integer() ? " of 64 bits" : ""));
    if (table->values.empty()) {
      table->first_index = *whole;
    } else if (*whole != table->last_index() + 1) {
      throw error(cells[0], "index " + std::to_string(*whole) + ", expected " +
                                std::to_string(table->last_index() + 1) + " (indices are consecutive)");
    }
    const std::string_view cell = cells[*chosen + 1];
    const auto value = Rational::parse(cell);
    if (!value) throw error(cell, not_exact(cell));
    table->values.push_back(*value);
  }
  if (table->values.empty()) throw SpecError(file + ": no rows; expected lines \"index,value\"");
  return table;
}

}  // namespace gpe::theory
