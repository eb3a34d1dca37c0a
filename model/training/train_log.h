// The log of a run: one JSON object a line, in the order of iterations.
// Tests: tests/model/train_resume_test.py
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace gpe::model {

class TrainLog {
 public:
  /// Continues the log of a run that resumes after `iteration` steps: later lines, of steps that are
  /// repeated, are dropped.
  /// @throws std::runtime_error  the file cannot be written
  TrainLog(const std::filesystem::path& file, std::int64_t iteration);

  /// @param json  one object, without a line end. On the disk when this returns, but for a power cut.
  void add(const std::string& json);

 private:
  std::filesystem::path file_;
  std::ofstream stream_;
};

}  // namespace gpe::model
