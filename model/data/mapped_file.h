// A file's bytes: a small file is read, a large one mapped into memory, where nothing is read before it is
// used and pages are shared between processes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace gpe::model {

/// Read only; movable, not copyable. When others cut off a large file afterwards, the program ends with
/// kBadInput and one message as soon as it touches what is lost; a file that is replaced by a rename, as
/// write_file does, stays whole here.
class MappedFile {
 public:
  /// @throws theory::SpecError  naming the file: absent, a folder, unreadable
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Aligned for every type of tensors.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
  std::unique_ptr<std::byte[]> read_;  // null: mapped
};

}  // namespace gpe::model
