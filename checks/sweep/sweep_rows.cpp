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
#include <sstream>
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

// Whether this is a row under these titles: what a crash left of a line is none.
bool is_row(std::string_view row, std::string_view titles) {
  const auto printable = [](char c) { return static_cast<unsigned char>(c) >= ' '; };
  return std::ranges::count(row, ',') == std::ranges::count(titles, ',') &&
         std::ranges::all_of(row, printable);
}

// Lines "INDEX,ROW"; what follows the last line's end was cut off.
// @returns the length of the whole lines
std::size_t read_rows(const fs::path& file, const std::string& titles, std::size_t count, Rows& rows) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream all;
  all << stream.rdbuf();
  const std::string text = all.str();
  std::size_t at = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', at)) {
    std::size_t index = 0;
    const auto [comma, error] = std::from_chars(text.data() + at, text.data() + end, index);
    if (error == std::errc() && *comma == ',' && index < count) {
      const std::string row(comma + 1, text.data() + end);
      if (is_row(row, titles)) rows[index] = row;
    }
    at = end + 1;
  }
  return at;
}

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

bool write_rows(const std::string& output, const std::string& titles, std::size_t count,
                const std::string& question, const Rank& rank,
                const std::function<std::string(std::size_t)>& row,
                const std::function<void(std::size_t)>& progress) {
  const fs::path file(output);
  const std::string prefix =
      file.filename().string() + ".part-" + theory::sha256_hex(question).substr(0, 16) + "-";
  const fs::path mine = fs::path(file).replace_filename(prefix + std::to_string(rank.rank));
  const auto all_rows = [&] {
    Rows rows;
    for (const fs::path& part : parts_of(file, prefix)) read_rows(part, titles, count, rows);
    return rows;
  };
  {
    Part part(mine);
    Rows own;
    part.cut(read_rows(mine, titles, count, own));
    const Rows known = all_rows();
    std::size_t there = known.size();
    for (std::size_t i = rank.rank; i < count; i += rank.size) {
      if (known.contains(i)) continue;
      part.add(std::to_string(i) + "," + row(i) + "\n");
      progress(++there);
    }
  }
  const Rows rows = all_rows();
  if (rows.size() < count) return false;
  std::string text = titles + "\n";
  for (const auto& [index, line] : rows) text += line + "\n";
  write_file(file, text);
  for (const fs::path& part : parts_of(file, prefix)) {
    std::error_code ignored;
    fs::remove(part, ignored);
  }
  return true;
}

}  // namespace gpe::checks
