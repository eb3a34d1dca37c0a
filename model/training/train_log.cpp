#include "model/training/train_log.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "checks/cli/file_inside.h"
#include "checks/cli/write_file.h"

namespace gpe::model {

TrainLog::TrainLog(const std::filesystem::path& file, std::int64_t iteration)
    : file_(checks::file_inside(file.parent_path(), file.filename())) {
  std::string kept;
  std::ifstream before(file);
  for (std::string line; std::getline(before, line);) {
    const auto entry = nlohmann::json::parse(line, nullptr, false);
    if (!entry.is_object() || entry.value("iteration", std::int64_t{0}) > iteration)
      break;  // or a line cut off
    kept += line + "\n";
  }
  before.close();
  checks::write_file(file, kept);
  stream_.open(file, std::ios::app);
}

void TrainLog::add(const std::string& json) {
  stream_ << json << "\n" << std::flush;
  if (!stream_) throw std::runtime_error(file_.string() + ": cannot be written");
}

}  // namespace gpe::model
