// CSV, or numbers written in the encoding file -> Table: the numbers behind NAME(EXPR).
// Tests: tests/theory/asymptotics/pieces_test.cpp, tests/cli/bad_specs.cmake
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "theory/expression/table.h"

namespace gpe::theory {

/// Chooses the column of a table that has one a head, or a layer and head.
struct TableColumn {
  int h = 1;
  int heads = 1;
  int layer = 1;
  int layers = 1;
};

/// The texts of table files, by the path that the encoding gives them.
using TableFiles = std::map<std::string, std::string>;

/// Lines "index,value[,value…]" with consecutive whole indices and exact numbers (integers, fractions,
/// decimals); an optional first line of column titles; '#' begins a comment. One value column serves every
/// head; several are one a head, or one a layer and head (layer by layer).
/// @throws SpecError  with file and line.
std::shared_ptr<const Table> read_table(const std::string& name, const std::filesystem::path& file,
                                        Beyond beyond, const TableColumn& column, std::string* bytes);

/// The same of the text of a file. @param file  its name, for messages
std::shared_ptr<const Table> table_of_text(const std::string& name, const std::string& text,
                                           const std::string& file, Beyond beyond, const TableColumn& column);

/// The values at indices 0, 1, …, for every head.
/// @throws SpecError  one that is no exact number
std::shared_ptr<const Table> table_of_values(const std::string& name, const std::vector<std::string>& values,
                                             Beyond beyond);

}  // namespace gpe::theory
