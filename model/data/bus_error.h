// What is left of a program when a mapped file was cut off: one message and kBadInput, in place of SIGBUS.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace gpe::model {

/// From now on touching a part of `bytes` that its file no longer has ends the program.
/// @return  false when so many files are watched already that there is no place for another
bool watch(std::span<const std::byte> bytes, const std::filesystem::path& file);
/// Stops watching; call before unmapping.
void unwatch(std::span<const std::byte> bytes);

}  // namespace gpe::model
