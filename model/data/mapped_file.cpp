#include "model/data/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "model/data/bus_error.h"
#include "theory/source/spec_error.h"

namespace gpe::model {
namespace {

constexpr std::size_t kLarge = std::size_t{1} << 20;

// @return  how many bytes came: fewer when the file has become shorter; nothing when they cannot be read
std::optional<std::size_t> read_all(int descriptor, std::span<std::byte> into) {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t count = ::read(descriptor, into.data() + done, into.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

}  // namespace

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
  if (size >= kLarge) {
    void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (begin == MAP_FAILED) fail(std::strerror(errno));
    bytes_ = {static_cast<const std::byte*>(begin), size};
    if (!watch(bytes_, file)) {
      ::munmap(begin, size);
      bytes_ = {};
    }
  }
  if (bytes_.empty() && size > 0) {
    read_ = std::make_unique_for_overwrite<std::byte[]>(size);
    const auto done = read_all(descriptor, {read_.get(), size});
    if (!done) fail(std::strerror(errno));
    bytes_ = {read_.get(), *done};
  }
  ::close(descriptor);
}

MappedFile::~MappedFile() {
  if (bytes_.empty() || read_ != nullptr) return;
  unwatch(bytes_);
  ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), read_(std::move(other.read_)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(read_, other.read_);
  return *this;
}

}  // namespace gpe::model
