// CSV, or numbers written in the encoding file -> Table: the numbers behind NAME(EXPR).
// Tests: tests/theory/asymptotics/pieces_test.cpp, tests/cli/bad_specs.cmake
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "theory/source/table.h"

namespace gpe::theory {

/// Chooses the column of a table that has one per head, or a layer and head.
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
/// head; several are one per head, or one per layer and head (layer by layer).
/// @param file  its name, for messages
/// @throws SpecError  with file, line and column.
std::shared_ptr<const Table> table_of_text(const std::string& name, const std::string& text,
                                           const std::string& file, Beyond beyond, const TableColumn& column);

/// What to say of a text that should be a number of a table.
std::string not_exact(std::string_view text);

}  // namespace gpe::theory
