// What a run was started with: it stands in the metadata of each checkpoint, and a run that resumes continues
// with it. Tests: tests/model/training/checkpoint_test.cpp
#pragma once

#include <filesystem>
#include <string>

#include "model/data/tensor_view.h"

namespace gpe::model {

/// Empty and 0: not known, or not to be compared.
struct RunRecord {
  std::string train_sha256;
  std::string validation_sha256;
  int ranks = 0;
};

void add_record(Metadata& metadata, const RunRecord& record);
RunRecord recorded(const Metadata& metadata);

/// @param folder  the run's, for messages
/// @throws theory::SpecError  other data, or another number of ranks
void require_same_run(const std::filesystem::path& folder, const RunRecord& then, const RunRecord& now);

}  // namespace gpe::model
