#include "model/training/run_folder.h"
// Tests: tests/model/training/checkpoint_test.cpp
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checks/cli/file_inside.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kOptimizer = "optimizer-";
constexpr std::string_view kOlderModel = "model-";
constexpr std::string_view kEnding = ".safetensors";

std::string name_of(std::string_view kind, std::int64_t iteration) {
  return std::string(kind) + std::to_string(iteration) + std::string(kEnding);
}

// The iteration of a file that is called exactly as name_of does.
std::optional<std::int64_t> iteration_of(const std::string& name, std::string_view kind) {
  if (!name.starts_with(kind)) return std::nullopt;
  std::int64_t iteration = -1;
  std::from_chars(name.data() + kind.size(), name.data() + name.size(), iteration);
  if (iteration < 0 || name != name_of(kind, iteration)) return std::nullopt;
  return iteration;
}

// NAME.tmp…, the name that write_file gives to unfinished files, for the name of a file of a run.
bool is_half_written(const std::string& name) {
  const std::size_t end = name.find(".tmp");
  if (end == std::string::npos) return false;
  const std::string whole = name.substr(0, end);
  return whole == kModelFile || whole == "encoding.toml" || whole == "config.toml" || whole == "log.jsonl" ||
         whole == "tokenizer.json" || iteration_of(whole, kOptimizer) || iteration_of(whole, kOlderModel);
}

}  // namespace

fs::path optimizer_file(const fs::path& folder, std::int64_t iteration) {
  return folder / name_of(kOptimizer, iteration);
}

fs::path older_model_file(const fs::path& folder, std::int64_t iteration) {
  return folder / name_of(kOlderModel, iteration);
}

std::optional<fs::path> older_model(const fs::path& folder) {
  std::int64_t newest = -1;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (const auto at = iteration_of(entry.path().filename().string(), kOlderModel))
      newest = std::max(newest, *at);
  }
  if (newest < 0) return std::nullopt;
  return older_model_file(folder, newest);
}

RunLock::RunLock(const fs::path& folder) {
  fs::create_directories(folder);
  const fs::path file = checks::file_inside(folder, "run.lock");
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  const auto fail = [&](const std::string& what) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw theory::SpecError(file.string() + ": " + what);
  };
  struct stat status = {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) fail(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail("is not a regular file");
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
    fail("another process trains in this folder; expected one at a time");
}

RunLock::~RunLock() { ::close(descriptor_); }

void keep_model(const fs::path& folder, std::int64_t iteration) {
  const fs::path model = folder / kModelFile;
  const fs::path older = older_model_file(folder, iteration);
  std::error_code error;
  fs::remove(older, error);  // of a run that was killed here
  fs::create_hard_link(model, older, error);
  if (error) fs::copy_file(model, older);  // a file system without links
}

void remove_older(const fs::path& folder, std::int64_t iteration, const std::vector<fs::path>& tables) {
  std::set<std::int64_t> models;
  std::set<std::int64_t> moments;
  std::set<fs::path> half_written;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (!fs::is_regular_file(entry.symlink_status())) continue;
    const std::string name = entry.path().filename().string();
    if (const auto at = iteration_of(name, kOlderModel)) models.insert(*at);
    if (const auto at = iteration_of(name, kOptimizer)) moments.insert(*at);
    if (is_half_written(name)) half_written.insert(entry.path());
  }
  for (const fs::path& table : tables) {
    const std::string begin = table.filename().string() + ".tmp";
    for (const fs::directory_entry& entry : fs::directory_iterator((folder / table).parent_path())) {
      if (entry.path().filename().string().starts_with(begin) && fs::is_regular_file(entry.symlink_status()))
        half_written.insert(entry.path());
    }
  }
  std::int64_t kept = -1;
  for (const std::int64_t at : models) {
    if (at < iteration && moments.contains(at)) kept = std::max(kept, at);
  }
  for (const std::int64_t at : models) {
    if (at != kept) fs::remove(older_model_file(folder, at));
  }
  for (const std::int64_t at : moments) {
    if (at != kept && at != iteration) fs::remove(optimizer_file(folder, at));
  }
  for (const fs::path& file : half_written) fs::remove(file);
}

}  // namespace gpe::model
