// Files are written whole or not at all: a temporary name, then a rename.
#pragma once

#include <filesystem>
#include <string_view>

namespace gpe::checks {

/// @throws std::runtime_error  naming the file and the system's reason
void write_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace gpe::checks
