// TOML -> Encoding, strictly: whatever is not in docs/specification.md is an error with its place.
// Tests: tests/theory/score/encodings_test.cpp, tests/cli/bad_specs.cmake
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "theory/score/encoding.h"
#include "theory/source/csv_table.h"
#include "theory/source/spec_error.h"

namespace gpe::theory {

/// @param folder  where table files are looked for; they must lie inside it
/// @throws SpecError
Encoding parse_encoding(std::string_view text, const std::string& source, const std::filesystem::path& folder,
                        const TableColumn& column = {});
/// An encoding that comes with its tables, as a checkpoint keeps it: no file is read.
/// @throws SpecError  also when one of `tables` is not a file that the encoding names
Encoding parse_packed_encoding(std::string_view text, const std::string& source, const TableFiles& tables,
                               const TableColumn& column = {});
/// Reads a file. @throws SpecError  also for unreadable, binary, or larger files than 1 MiB.
Encoding load_encoding(const std::filesystem::path& file, const TableColumn& column = {});
}  // namespace gpe::theory
