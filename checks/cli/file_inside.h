// Files of a folder that others have written: none of them leads out of it.
// Tests: tests/model/data/token_file_test.cpp, tests/model/interop_export_test.py
#pragma once

#include <filesystem>

namespace gpe::checks {

/// folder / name, for a file that is written, read or replaced there. The folder itself may be a link.
/// @throws theory::SpecError  a name that is absolute or leads out of the folder; a link on the way from the
/// folder to the file, or in its place
std::filesystem::path file_inside(const std::filesystem::path& folder, const std::filesystem::path& name);

/// For folders that are written whole, so that no file there is replaced.
/// @throws theory::SpecError  unless `folder` is absent, or a folder that is empty
void check_new_folder(const std::filesystem::path& folder);

}  // namespace gpe::checks
