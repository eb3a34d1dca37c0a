// A file's bytes, mapped into memory: nothing is read before it is used, and pages are shared between
// processes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace gpe::model {

/// Read only; movable, not copyable. What others cut off the file afterwards must not be touched (the system
/// ends the program); a file that is replaced by a rename, as write_file does, stays whole here.
class MappedFile {
 public:
  /// @throws theory::SpecError  naming the file: absent, a folder, unreadable
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Aligned to a page.
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace gpe::model
