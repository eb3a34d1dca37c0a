#include "checks/cli/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>

#include "theory/source/spec_error.h"

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

/// Nothing when all went well, else what did not; errno says why. Closes the descriptor.
const char* write_pieces(int descriptor, std::span<const std::string_view> pieces) {
  bool written =
      std::ranges::all_of(pieces, [&](std::string_view piece) { return write_all(descriptor, piece); });
  // What cannot be synchronized (a pipe, some file systems) says EINVAL.
  written = written && (::fsync(descriptor) == 0 || errno == EINVAL);
  const int reason = errno;
  const bool closed = ::close(descriptor) == 0;
  if (!written) errno = reason;
  return written && closed ? nullptr : "cannot be written";
}

/// A new file beside `target`, of a random name, so that no link can wait under it; -1, and errno, where none
/// can be made.
int create_beside(const std::filesystem::path& target, std::filesystem::path& temporary) {
  std::random_device random;
  for (int tries = 0; tries < 100; ++tries) {
    std::array<char, 24> ending{};
    std::snprintf(ending.data(), ending.size(), ".tmp%08x%08x", random(), random());
    temporary = target;
    temporary += ending.data();
    const int descriptor =
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// A name for an open file: what it leads to is not to be replaced by another file.
bool names_descriptor(const std::filesystem::path& file) {
  const std::string path = file.lexically_normal().string();
  return path == "/dev/stdout" || path == "/dev/stderr" || path.starts_with("/dev/fd/") ||
         path.starts_with("/proc/");
}

/// What the bytes go into, as it is: a device, a pipe, an open file.
bool is_special(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  return names_descriptor(file) ||
         (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status));
}

}  // namespace

void remove_older(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!names_descriptor(file) &&
      std::filesystem::is_regular_file(std::filesystem::symlink_status(file, ignored)))
    std::filesystem::remove(file, ignored);
}

void require_regular(const std::string& option, const std::filesystem::path& file) {
  if (is_special(file))
    throw theory::SpecError(option + ": " + file.string() + " is a pipe or a device; expected a file");
}

void require_different(std::initializer_list<std::pair<const char*, std::filesystem::path>> options) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (auto second = options.begin(); second != options.end(); ++second) {
    for (auto first = options.begin(); first != second; ++first) {
      const fs::path& one = first->second;
      const fs::path& other = second->second;
      if (one.empty() || other.empty() || is_special(one)) continue;
      if (fs::equivalent(one, other, ignored) ||
          fs::weakly_canonical(fs::absolute(one, ignored), ignored) ==
              fs::weakly_canonical(fs::absolute(other, ignored), ignored))
        throw theory::SpecError(std::string(first->first) + " and " + second->first + ": both are " +
                                one.string() + "; expected two files");
    }
  }
}

void write_file(const std::filesystem::path& file, std::span<const std::string_view> pieces) {
  namespace fs = std::filesystem;
  std::error_code error;
  const bool special = is_special(file);
  fs::path target = file;
  if (fs::is_symlink(file, error)) target = fs::weakly_canonical(file, error);
  if (error) target = file;
  fs::path temporary;
  const int descriptor =
      special ? ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_APPEND) : create_beside(target, temporary);
  const auto fail = [&](const std::string& what) {
    const std::string reason = std::strerror(errno);
    if (!special && descriptor >= 0) fs::remove(temporary, error);
    throw std::runtime_error(file.string() + ": " + what + ": " + reason);
  };
  if (descriptor < 0) fail("cannot be created");
  // Who may read the file stays as it was; where that cannot be kept, the mask of the process decides.
  if (struct stat before{}; !special && ::stat(target.c_str(), &before) == 0)
    static_cast<void>(::fchmod(descriptor, before.st_mode & 0777U) == 0);
  if (const char* const trouble = write_pieces(descriptor, pieces); trouble != nullptr) fail(trouble);
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
