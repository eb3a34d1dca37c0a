// CSV -> Table: the numbers behind NAME(EXPR).
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "theory/spec_parse.h"
#include "theory/table.h"

namespace gpe::theory {

/// Lines "index,value[,value…]" with consecutive whole indices and exact numbers (integers, fractions,
/// decimals); an optional first line of column titles; '#' begins a comment. One value column serves every
/// head; several are one a head, or one a layer and head (layer by layer).
/// @throws SpecError  with file and line.
std::shared_ptr<const Table> read_table(const std::string& name, const std::filesystem::path& file,
                                        Beyond beyond, const TableColumn& column, std::string* bytes);

}  // namespace gpe::theory
