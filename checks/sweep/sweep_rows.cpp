// The rows of a sweep in a file that gets its name when all are there. Tests: tests/cli/sweep.cmake
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>

#include "checks/cli/write_file.h"
#include "checks/sweep/sweep.h"
#include "theory/source/sha256.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"

namespace gpe::checks {

namespace fs = std::filesystem;

namespace {

// A file that one process at a time appends to.
class Part {
 public:
  explicit Part(fs::path file)
      : file_(std::move(file)),
        descriptor_(open(file_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)) {
    const bool other = descriptor_ < 0 && (errno == ELOOP || errno == ENXIO || errno == EISDIR);
    if (descriptor_ < 0 && !other) fail("cannot be created");
    struct stat status = {};
    if (other || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
      refuse("is not a regular file; expected a file of this sweep");
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      refuse("another process is writing it; expected one process for an output");
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() { close(descriptor_); }

  void cut(std::uintmax_t length) {
    if (ftruncate(descriptor_, static_cast<off_t>(length)) != 0 || lseek(descriptor_, 0, SEEK_END) < 0)
      fail("cannot be written");
  }
  void add(const std::string& line) {
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t done = write(descriptor_, line.data() + at, line.size() - at);
      if (done < 0 && errno != EINTR) fail("cannot be written");
      at += done < 0 ? 0 : static_cast<std::size_t>(done);
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_.string() + ": " + what + ": " + std::system_category().message(errno));
  }
  [[noreturn]] void refuse(const std::string& why) const {
    if (descriptor_ >= 0) close(descriptor_);
    throw theory::SpecError(file_.string() + ": " + why);
  }

  fs::path file_;
  int descriptor_;
};

// The whole rows with which a file begins; what follows them was cut off, or is not a row of this sweep.
struct Kept {
  std::size_t rows = 0;
  std::uintmax_t bytes = 0;
};

Kept kept_rows(const fs::path& file, const RowMaker& rows) {
  constexpr std::size_t kLongestLine = std::size_t{1} << 24U;
  std::ifstream stream(file, std::ios::binary);
  std::string buffer(kLongestLine, '\0');
  const auto next_line = [&]() -> std::optional<std::string_view> {
    stream.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    if (!stream || stream.eof() || stream.gcount() == 0) return std::nullopt;
    return std::string_view(buffer.data(), static_cast<std::size_t>(stream.gcount()) - 1);
  };
  if (next_line() != rows.titles) return {};
  Kept kept{0, rows.titles.size() + 1};
  const auto commas = std::ranges::count(rows.titles, ',');
  while (kept.rows < rows.count) {
    const std::optional<std::string_view> line = next_line();
    if (!line || !line->starts_with(rows.begin(kept.rows)) || std::ranges::count(*line, ',') != commas) break;
    ++kept.rows;
    kept.bytes += line->size() + 1;
  }
  return kept;
}

}  // namespace

void write_rows(const std::string& output, const RowMaker& rows, const std::string& question,
                const std::function<void(std::size_t)>& progress) {
  const fs::path file = output + ".part-" + theory::sha256_hex(question).substr(0, 16);
  Part part(file);
  const Kept kept = kept_rows(file, rows);
  part.cut(kept.bytes);
  if (kept.bytes == 0) part.add(rows.titles + "\n");
  for (std::size_t i = kept.rows; i < rows.count; ++i) {
    try {
      part.add(rows.row(i) + "\n");
    } catch (const theory::SpecError&) {
      fs::remove(file);
      throw;
    }
    progress(i + 1);
  }
  write_file(output, theory::read_regular_file(file, static_cast<std::size_t>(fs::file_size(file))));
  fs::remove(file);
}

}  // namespace gpe::checks
