#include "theory/source/text_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <vector>

#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"

namespace gpe::theory {

namespace {

class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& file)
      : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

std::string size_text(std::size_t most) {
  return most % (std::size_t{1} << 30) == 0 ? std::to_string(most >> 30U) + " GiB"
                                            : std::to_string(most >> 20U) + " MiB";
}

}  // namespace

std::string nearest_file(const std::filesystem::path& file) {
  constexpr std::size_t kMax = 1000;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::map<std::string, std::filesystem::path> by_stem;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (by_stem.size() == kMax) break;
    const std::filesystem::path name = entry.path().filename();
    if (!entry.is_regular_file(ignored)) continue;
    const auto [known, is_new] = by_stem.emplace(name.stem().string(), name);
    if (!is_new && (name.extension() == file.extension() || name < known->second)) known->second = name;
  }
  std::vector<std::string> stems;
  std::ranges::transform(by_stem, std::back_inserter(stems), &decltype(by_stem)::value_type::first);
  const std::string nearest = nearest_name(file.stem().string(), stems);
  return nearest.empty() ? "" : "; did you mean '" + (file.parent_path() / by_stem[nearest]).string() + "'?";
}

std::string read_regular_file(const std::filesystem::path& file, std::size_t most) {
  const std::string name = file.empty() ? "''" : file.string();
  const OpenFile open(file);
  if (open.get() < 0) {
    if (errno == ENOENT || errno == ENOTDIR) throw SpecError(name + ": no such file" + nearest_file(file));
    throw SpecError(name + ": cannot be read: " + std::strerror(errno));
  }
  struct stat status {};
  if (::fstat(open.get(), &status) != 0) throw SpecError(name + ": cannot be read: " + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw SpecError(name + ": is a folder, expected a file");
  if (!S_ISREG(status.st_mode)) throw SpecError(name + ": a pipe or a device, expected a file");
  std::string text;
  // Some files have no size (those of /proc), and others grow: what counts is what is read.
  for (std::size_t length = 0;;) {
    text.resize(std::min(most + 1, length + std::max<std::size_t>(65536, length)));
    const ssize_t got = ::read(open.get(), text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw SpecError(name + ": cannot be read: " + std::strerror(errno));
    length += static_cast<std::size_t>(got);
    if (length > most) throw SpecError(name + ": larger than " + size_text(most));
    if (got > 0) continue;
    text.resize(length);
    return text;
  }
}

std::string read_text_file(const std::filesystem::path& file) {
  std::string text = read_regular_file(file, kMaxSpecBytes);
  if (text.find('\0') != std::string::npos) throw SpecError(file.string() + ": a binary file, expected text");
  return text;
}

}  // namespace gpe::theory
