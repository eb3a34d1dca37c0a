#include "theory/expression/table_read.h"

#include <sstream>
#include <vector>

#include "theory/expression/spec_error.h"
#include "theory/expression/text_file.h"

namespace gpe::theory {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::string_view blank = " \t\r";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
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

std::size_t value_column(std::size_t columns, const TableColumn& column, const std::string& where) {
  const auto heads = static_cast<std::size_t>(column.heads);
  const auto layers = static_cast<std::size_t>(column.layers);
  if (columns == 1) return 0;
  if (columns == heads) return static_cast<std::size_t>(column.h - 1);
  if (columns == heads * layers)
    return static_cast<std::size_t>(column.layer - 1) * heads + static_cast<std::size_t>(column.h - 1);
  throw SpecError(where + ": " + std::to_string(columns) + " value columns, but " + std::to_string(heads) +
                  " heads and " + std::to_string(layers) +
                  " layers; expected 1, heads, or layers*heads columns");
}

Rational exact_number(std::string_view text, const std::string& where) {
  const auto value = Rational::parse(std::string(text));
  if (value) return *value;
  throw SpecError(where + ": '" + std::string(text) +
                  "' is not an exact number (integer, fraction a/b, or decimal)");
}

}  // namespace

std::shared_ptr<const Table> table_of_values(const std::string& name, const std::vector<std::string>& values,
                                             Beyond beyond) {
  auto table = std::make_shared<Table>();
  table->name = name;
  table->beyond = beyond;
  for (const std::string& value : values) table->values.push_back(exact_number(value, "values"));
  if (values.empty()) throw SpecError("values: no entries; expected numbers, from index 0 on");
  return table;
}

std::shared_ptr<const Table> read_table(const std::string& name, const std::filesystem::path& file,
                                        Beyond beyond, const TableColumn& column, std::string* bytes) {
  const std::string text = read_text_file(file);
  if (bytes != nullptr) *bytes = text;
  return table_of_text(name, text, file.filename().string(), beyond, column);
}

std::shared_ptr<const Table> table_of_text(const std::string& name, const std::string& text,
                                           const std::string& file, Beyond beyond,
                                           const TableColumn& column) {
  auto table = std::make_shared<Table>();
  table->name = name;
  table->beyond = beyond;
  std::istringstream lines(text);
  std::string line;
  std::size_t chosen = 0;
  std::size_t columns = 0;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string where = file + ":" + std::to_string(number);
    const std::string_view content = trimmed(std::string_view(line).substr(0, line.find('#')));
    if (content.empty()) continue;
    const std::vector<std::string_view> cells = cells_of(content);
    const auto index = Rational::parse(cells[0]);
    if (!index && columns == 0 && table->values.empty()) {  // titles
      columns = cells.size();
      continue;
    }
    if (cells.size() < 2) throw SpecError(where + ": expected an index, a comma and a value");
    if (columns != 0 && cells.size() != columns) {
      throw SpecError(where + ": " + std::to_string(cells.size()) + " columns, expected " +
                      std::to_string(columns));
    }
    columns = cells.size();
    chosen = value_column(columns - 1, column, where);
    const auto whole = index ? index->to_int64() : std::nullopt;
    if (!whole) throw SpecError(where + ": index '" + std::string(cells[0]) + "' is not a whole number");
    if (table->values.empty()) {
      table->first_index = *whole;
    } else if (*whole != table->last_index() + 1) {
      throw SpecError(where + ": index " + std::to_string(*whole) + ", expected " +
                      std::to_string(table->last_index() + 1) + " (indices are consecutive)");
    }
    table->values.push_back(exact_number(cells[chosen + 1], where));
  }
  if (table->values.empty()) throw SpecError(file + ": no rows; expected lines \"index,value\"");
  return table;
}

}  // namespace gpe::theory
