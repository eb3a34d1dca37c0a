// Files are written whole or not at all: a temporary name, then a rename.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace gpe::checks {

/// The bytes are on the disk before the file gets its name: neither a killed program nor a power cut leaves
/// half a file behind. The file keeps its mode. A symbolic link keeps pointing where it does. What is not a
/// file (a device, a pipe) is not replaced: the bytes go into it.
/// @throws std::runtime_error  naming the file and the system's reason
void write_file(const std::filesystem::path& file, std::string_view bytes);
/// The same, one piece after the other: large files need not be put together in memory.
void write_file(const std::filesystem::path& file, std::span<const std::string_view> pieces);
/// Takes away the file of an earlier run that this one may not replace, so that it is not taken for this
/// one's. A device, a pipe, a folder, a link or an open file stays.
void remove_older(const std::filesystem::path& file);
/// For files beside which others are made before they are written.
/// @throws theory::SpecError  naming the option, where `file` is a device, a pipe or an open file
void require_regular(const std::string& option, const std::filesystem::path& file);
/// Of options that name files to be written; an empty name is none.
/// @throws theory::SpecError  naming two options that name one file, by whatever path
void require_different(std::initializer_list<std::pair<const char*, std::filesystem::path>> options);

}  // namespace gpe::checks
