#include "checks/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace gpe::checks {
namespace {

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), std::min<std::size_t>(bytes.size(), 1 << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Nothing when all went well, else what did not; errno says why.
const char* write_pieces(const std::filesystem::path& file, int flags,
                         std::span<const std::string_view> pieces) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor < 0) return "cannot be created";
  bool written =
      std::ranges::all_of(pieces, [&](std::string_view piece) { return write_all(descriptor, piece); });
  // What cannot be synchronized (a pipe, some file systems) says EINVAL.
  written = written && (::fsync(descriptor) == 0 || errno == EINVAL);
  const int reason = errno;
  const bool closed = ::close(descriptor) == 0;
  if (!written) errno = reason;
  return written && closed ? nullptr : "cannot be written";
}

/// A name for an open file: what it leads to is not to be replaced by another file.
bool names_descriptor(const std::filesystem::path& file) {
  const std::string path = file.lexically_normal().string();
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

}  // namespace

void write_file(const std::filesystem::path& file, std::span<const std::string_view> pieces) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  const bool special = names_descriptor(file) ||
                       (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
  fs::path target = file;
  if (fs::is_symlink(file, error)) target = fs::weakly_canonical(file, error);
  if (error) target = file;
  fs::path temporary = target;
  if (!special) temporary += ".tmp" + std::to_string(getpid());
  const auto fail = [&](const std::string& what) {
    const std::string reason = std::strerror(errno);
    if (!special) fs::remove(temporary, error);
    throw std::runtime_error(file.string() + ": " + what + ": " + reason);
  };
  const char* const trouble = write_pieces(temporary, special ? O_APPEND : O_CREAT | O_TRUNC, pieces);
  if (trouble != nullptr) fail(trouble);
  if (special) return;
  fs::rename(temporary, target, error);
  if (error) {
    errno = error.value();
    fail("cannot be replaced");
  }
}

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  write_file(file, std::span(&bytes, 1));
}

}  // namespace gpe::checks
