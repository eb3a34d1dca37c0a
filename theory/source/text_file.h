// Files from outside: only regular ones, and no larger than expected.
// Tests: tests/cli/bad_specs.cmake, tests/cli/hostile_files.cmake
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace gpe::theory {

inline constexpr std::size_t kMaxSpecBytes = std::size_t{1} << 20;

/// "; did you mean 'FOLDER/NAME'?" where the folder has a file of nearly this name, endings aside.
std::string nearest_file(const std::filesystem::path& file);
/// The bytes of a file. Pipes and devices are refused, without waiting for them.
/// @throws SpecError  for what is not a regular file, cannot be read, or is larger than `most` bytes
std::string read_regular_file(const std::filesystem::path& file, std::size_t most);
/// The bytes of a small text file. @throws SpecError.
std::string read_text_file(const std::filesystem::path& file);

}  // namespace gpe::theory
