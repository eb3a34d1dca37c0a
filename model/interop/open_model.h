// A model from whatever holds one: a run of train-tsm, or a folder in Hugging Face layout.
#pragma once

#include <filesystem>
#include <string>

#include "model/training/checkpoint.h"

namespace gpe::model {

/// @param place  a run's folder or its model.safetensors (load_model); or a folder with config.json, whose
///               `model_type` is "gpt2", "gpt_neox", "nanogpt", or "tsm", which export-tsm writes
///               (docs/data.md)
/// @param dtype  computes in this type; empty: in that of the configuration, float32 for what others trained
/// @return an imported model has as training.context the positions that it was made for, and iteration 0
/// @throws theory::SpecError  one message: file, key or tensor, and what was expected
LoadedModel open_model(const std::filesystem::path& place, const theory::ConstantOracle& oracle,
                       const std::string& dtype = "");

}  // namespace gpe::model
