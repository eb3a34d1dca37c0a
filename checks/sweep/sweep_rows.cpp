// Rows that several processes write, each into its own file, and that end up in one.
// Tests: tests/cli/sweep.cmake
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>

#include "checks/program/write_file.h"
#include "checks/sweep/sweep.h"
#include "theory/expression/sha256.h"
#include "theory/expression/spec_error.h"

namespace gpe::checks {

namespace fs = std::filesystem;

namespace {

using Rows = std::map<std::size_t, std::string>;

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
  throw std::runtime_error(file.string() + ": " + what + ": " + std::system_category().message(errno));
}

constexpr std::size_t kLongestLine = std::size_t{1} << 24U;

// The rows of one question: what their lines are, "INDEX,ROW,CHECKSUM", and which lines are theirs.
class Lines {
 public:
  Lines(const RowMaker& rows, std::string key)
      : rows_(rows), key_(std::move(key)), commas_(std::ranges::count(rows.titles, ',')) {}

  std::string line(std::size_t index) const {
    std::string line = std::to_string(index) + "," + rows_.row(index);
    line += "," + checksum(line) + "\n";
    if (line.size() > kLongestLine) throw std::runtime_error("row " + std::to_string(index) + " is too long");
    return line;
  }

  // Reads a file line by line. What follows its last line's end was cut off; what follows a line that is
  // longer than any, or follows more lines than ever get there, is no work of this program.
  // @returns the length of what was read
  std::size_t read(const fs::path& file, Rows& found) const {
    std::ifstream stream(file, std::ios::binary);
    std::string line(kLongestLine, '\0');
    std::size_t length = 0;
    for (std::size_t lines = 0; lines < 2 * rows_.count; ++lines) {
      stream.getline(line.data(), static_cast<std::streamsize>(line.size()));
      const auto got = static_cast<std::size_t>(stream.gcount());
      if (!stream || stream.eof() || got == 0) break;
      add(std::string_view(line.data(), got - 1), found);
      length += got;
    }
    return length;
  }

 private:
  std::string checksum(std::string_view line) const {
    return theory::sha256_hex(key_ + "\n" + std::string(line)).substr(0, 16);
  }

  void add(std::string_view line, Rows& found) const {
    std::size_t index = 0;
    const auto [comma, error] = std::from_chars(line.data(), line.data() + line.size(), index);
    const std::size_t end = line.rfind(',');
    if (error != std::errc() || comma == line.data() + line.size() || *comma != ',' || index >= rows_.count ||
        line.substr(end + 1) != checksum(line.substr(0, end)))
      return;
    const std::string_view row =
        line.substr(0, end).substr(static_cast<std::size_t>(comma - line.data()) + 1);
    if (std::ranges::count(row, ',') == commas_ && row.starts_with(rows_.begin(index))) found[index] = row;
  }

  const RowMaker& rows_;
  std::string key_;
  std::ptrdiff_t commas_;
};

// The files of all ranks that worked on this question.
std::vector<fs::path> parts_of(const fs::path& output, const std::string& prefix) {
  std::vector<fs::path> result;
  const fs::path folder = output.has_parent_path() ? output.parent_path() : ".";
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool numbered =
        name.size() > prefix.size() && name.starts_with(prefix) &&
        std::ranges::all_of(name.substr(prefix.size()), [](char c) { return c >= '0' && c <= '9'; });
    if (numbered && fs::is_regular_file(entry.symlink_status())) result.push_back(entry.path());
  }
  return result;
}

class Part {
 public:
  explicit Part(const fs::path& file)
      : file_(file),
        descriptor_(open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666)) {
    const bool other = descriptor_ < 0 && (errno == ELOOP || errno == ENXIO || errno == EISDIR);
    if (descriptor_ < 0 && !other) fail(file_, "cannot be created");
    struct stat status = {};
    if (other || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
      if (!other) close(descriptor_);
      throw theory::SpecError(file_.string() + ": is not a regular file; expected a file of this sweep");
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      close(descriptor_);
      throw theory::SpecError(file_.string() +
                              ": another process is writing it; expected one process a rank");
    }
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
  ~Part() {
    fsync(descriptor_);
    close(descriptor_);
  }
  void cut(std::size_t length) {
    if (ftruncate(descriptor_, static_cast<off_t>(length)) != 0 || lseek(descriptor_, 0, SEEK_END) < 0)
      fail(file_, "cannot be written");
  }
  void add(const std::string& line) {
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t done = write(descriptor_, line.data() + at, line.size() - at);
      if (done < 0 && errno != EINTR) fail(file_, "cannot be written");
      at += done < 0 ? 0 : static_cast<std::size_t>(done);
    }
  }

 private:
  fs::path file_;
  int descriptor_;
};

}  // namespace

bool write_rows(const std::string& output, const RowMaker& rows, const std::string& question,
                const Rank& rank, const std::function<void(std::size_t)>& progress) {
  const fs::path file(output);
  const std::string key = theory::sha256_hex(question).substr(0, 16);
  const std::string prefix = file.filename().string() + ".part-" + key + "-";
  const fs::path mine = fs::path(file).replace_filename(prefix + std::to_string(rank.rank));
  const Lines lines(rows, key);
  const auto all_rows = [&] {
    Rows found;
    for (const fs::path& part : parts_of(file, prefix)) lines.read(part, found);
    return found;
  };
  std::error_code ignored;
  {
    Part part(mine);
    Rows own;
    part.cut(lines.read(mine, own));
    const Rows known = all_rows();
    std::size_t there = known.size();
    for (std::size_t i = rank.rank; i < rows.count; i += rank.size) {
      if (known.contains(i)) continue;
      try {
        part.add(lines.line(i));
      } catch (const theory::SpecError&) {
        fs::remove(mine, ignored);
        throw;
      }
      progress(++there);
    }
  }
  const Rows found = all_rows();
  if (found.size() < rows.count) return false;
  std::string text = rows.titles + "\n";
  for (const auto& [index, line] : found) text += line + "\n";
  write_file(file, text);
  for (const fs::path& part : parts_of(file, prefix)) fs::remove(part, ignored);
  return true;
}

}  // namespace gpe::checks
