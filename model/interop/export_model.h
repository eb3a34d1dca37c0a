// A model as a folder that AutoModelForCausalLM.from_pretrained of transformers opens.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/interop/stock_position.h"
#include "model/training/checkpoint.h"

namespace gpe::model {

struct ExportOptions {
  /// "gpt2", "gpt_neox"; "tsm": a class of its own, modeling_tsm.py beside the weights; "": the first that
  /// fits.
  std::string layout;
  /// That the written model says it has; 0: 2048, or the training context if that is greater. A learned table
  /// of positions, where the model has one, has its own number.
  std::int64_t positions = 0;
  /// Of the end of a text, for config.json; negative: none.
  std::int64_t end_token = -1;
};

/// What a layout is as files.
struct ExportedModel {
  std::string config;                ///< config.json
  std::vector<NamedTensor> weights;  ///< by the names of the layout
};

/// Writes config.json and the weights (float32) into the folder, which is made, and for "tsm"
/// modeling_tsm.py.
/// @return the layout
/// @throws theory::SpecError  a layout that does not fit, with the reason
std::string export_model(const LoadedModel& model, const ExportOptions& options,
                         const std::filesystem::path& folder);

/// The layouts. @pre  stock_position says that the model's scores are theirs
ExportedModel as_gpt2(const LoadedModel& model, const ExportOptions& options);
ExportedModel as_gpt_neox(const LoadedModel& model, const StockRotation& rotation,
                          const ExportOptions& options);
/// The weights are what a checkpoint has beside its own: the tables of positions.
ExportedModel as_tsm(const LoadedModel& model, const ExportOptions& options);

/// transformers' name of one of our activations.
std::string written_activation(const std::string& ours);

}  // namespace gpe::model
