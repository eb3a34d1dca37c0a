// Resuming a run: the model and the moments of its last checkpoint, and whether they are of the same run.
// Tests: tests/model/training/checkpoint_test.cpp, tests/model/train_resume_test.py
#pragma once

#include "model/training/checkpoint.h"

namespace gpe::model {

/// The model of a run's last checkpoint; where that is damaged, the message names the one before it.
/// @throws theory::SpecError
LoadedModel load_run(const std::filesystem::path& folder, const theory::ConstantOracle& oracle);

/// The moments that belong to this model.
/// @throws theory::SpecError  also when they were saved with another model or for another iteration, or by a
/// run with other data or another number of ranks
void load_moments(const std::filesystem::path& folder, const LoadedModel& model, AdamW& optimizer,
                  const RunRecord& record = {});

}  // namespace gpe::model
