#include "model/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include "theory/spec_error.h"

namespace gpe::model {

MappedFile::MappedFile(const std::filesystem::path& file) {
  // O_NONBLOCK: a pipe is refused below instead of waited for.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const auto fail = [&](const std::string& what) {
    if (descriptor >= 0) ::close(descriptor);
    throw theory::SpecError(file.string() + ": " + what);
  };
  if (descriptor < 0) fail(errno == ENOENT ? "no such file" : std::strerror(errno));
  struct stat status = {};
  if (::fstat(descriptor, &status) != 0) fail(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail("is a folder, expected a file");
  if (!S_ISREG(status.st_mode)) fail("is not a regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > 0) {  // an empty range cannot be mapped
    void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (begin == MAP_FAILED) fail(std::strerror(errno));
    bytes_ = {static_cast<const std::byte*>(begin), size};
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace gpe::model
