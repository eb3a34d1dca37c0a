// CSV with a line of titles: commas inside double quotes belong to the cell, "" is a quote.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpe::testing {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

/// The rows of tests/cases/NAME, each cell under its title. Lines that begin with '#' are comments.
/// @throws std::runtime_error  for a missing file or a row of another width.
inline std::vector<CsvRow> read_cases(const std::string& name) {
  const auto path = std::filesystem::path(GPE_SOURCE_DIR) / "tests" / "cases" / name;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + " cannot be read");
  std::vector<std::string> titles;
  std::vector<CsvRow> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> cells = csv_cells(line);
    if (titles.empty()) {
      titles = cells;
      continue;
    }
    if (cells.size() != titles.size()) throw std::runtime_error(name + ": another width: " + line);
    CsvRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < titles.size(); ++i) row[titles[i]] = cells[i];
  }
  return rows;
}

}  // namespace gpe::testing
