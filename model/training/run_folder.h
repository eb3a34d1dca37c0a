// The files of a run's folder: their names, who may write them, and which of them go.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace gpe::model {

inline constexpr const char* kModelFile = "model.safetensors";

std::filesystem::path optimizer_file(const std::filesystem::path& folder, std::int64_t iteration);
/// Where the model of an older checkpoint is kept.
std::filesystem::path older_model_file(const std::filesystem::path& folder, std::int64_t iteration);

/// The newest of these that is there.
std::optional<std::filesystem::path> older_model(const std::filesystem::path& folder);

/// While it lives no other process trains in this folder.
class RunLock {
 public:
  /// Makes the folder when it is absent, and run.lock in it, which stays.
  /// @throws theory::SpecError  another process has it
  explicit RunLock(const std::filesystem::path& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// Before model.safetensors of another iteration is replaced: it gets a second name, older_model_file.
/// @param iteration  its own
void keep_model(const std::filesystem::path& folder, std::int64_t iteration);

/// Leaves the checkpoint of this iteration and the newest one before it that is whole; removes the other
/// files that keep_model and save_checkpoint made, and what a program that was killed left half written.
/// Files with other names, folders and links stay.
/// @param tables  the encoding's tables in this folder, which are there
void remove_older(const std::filesystem::path& folder, std::int64_t iteration,
                  const std::vector<std::filesystem::path>& tables);

}  // namespace gpe::model
