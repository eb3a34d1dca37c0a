// Finding encodings: built-in ones by name, files by path, "-" for standard input.
// Tests: tests/cli/bad_use.cmake
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "theory/score/spec_parse.h"

namespace gpe::checks {

/// The folder of the built-in encodings: $GPE_ENCODINGS, else share/gpe/encodings beside the program's
/// folder.
/// @throws theory::SpecError  when there is none
std::filesystem::path library_folder();
/// Names of the built-in encodings, sorted.
std::vector<std::string> library_names();
/// Of these, the ones whose weights are a softmax of functions of n (and L): without gates, a bias of the
/// query, or another normalizer.
std::vector<std::string> softmax_library_names();
/// Whether this is the path of a file: it has a slash, or ends in .toml. Anything else is a built-in name,
/// whatever lies in the current folder.
bool names_file(const std::string& what);
/// @param what  a built-in name, a path, or "-"
/// @throws theory::SpecError  with the nearest built-in name when it is neither
theory::Encoding find_encoding(const std::string& what, const theory::TableColumn& column);

}  // namespace gpe::checks
