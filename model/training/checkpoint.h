// A run's folder: what training writes, and what every other program reads a model from.
//   model.safetensors         weights, learned numbers; metadata: configuration, encoding, tables, checksums
//   optimizer-N.safetensors   moments of AdamW at iteration N: with the model, all that a resumed run depends
//                             on; metadata: the options that started the run
//   model-N.safetensors       the model of the checkpoint before
//   best/                     with output.keep_best: the model of the least validation loss, and its encoding
//   encoding.toml, tables     the encoding with the learned values, for check-properties
//   config.toml, log.jsonl, run.lock
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "model/gpt/transformer.h"
#include "model/training/optimizer.h"
#include "model/training/run_record.h"
#include "theory/exact/constant_oracle.h"
#include "theory/score/score_function.h"

namespace gpe::model {

/// A model with everything that it refers to.
struct LoadedModel {
  TsmConfig config;
  EncodingFiles encoding;
  std::int64_t iteration = 0;  ///< steps done
  std::string state;           ///< a digest of what the file says, when it came from one
  std::unique_ptr<Positions> positions;
  std::unique_ptr<Transformer> transformer;
};

/// A fresh one. The encoding is `config.position`'s, with its `set` values in it.
/// @throws theory::SpecError
LoadedModel new_model(const TsmConfig& config, const theory::ConstantOracle& oracle);

/// A model whose weights() are for the caller to write.
/// @throws theory::SpecError
LoadedModel unset_model(const TsmConfig& config, const EncodingFiles& encoding,
                        const theory::ConstantOracle& oracle);

/// @param place  a run's folder, or its model.safetensors
/// @param dtype  computes in this type; empty: in that of the configuration
/// @throws theory::SpecError  no checkpoint, or one that does not fit its configuration
LoadedModel load_model(const std::filesystem::path& place, const theory::ConstantOracle& oracle,
                       const std::string& dtype = "");

/// The law of one head, its parameters at the values that it has learned (theory::at_values puts them in).
/// Layers and heads are counted from 0.
theory::ScoreFunction head_law(const LoadedModel& model, int layer, int head,
                               const theory::ConstantOracle& oracle);

/// A fresh run, of `config`, that begins with everything a finished one learned: weights, encoding, learned
/// numbers; and measured entropies, when the contexts are equal.
/// @param config  its model and position are those of the other run
/// @throws theory::SpecError
LoadedModel begin_from(const std::filesystem::path& place, const TsmConfig& config,
                       const theory::ConstantOracle& oracle);

/// The weights of another run into this model: all that both have under one name. The encodings may differ.
/// @throws theory::SpecError  a weight of another shape, or that the other lacks
void take_weights(const std::filesystem::path& place, Transformer& into);

/// A model.safetensors that load_model opens.
/// @param beside  further tensors, which it leaves alone: F32, F64 or I64, contiguous, of other names
void write_model(const std::filesystem::path& file, const LoadedModel& model,
                 const std::vector<NamedTensor>& beside = {});
/// Writes the model last, by a rename: before it the older checkpoint holds, after it the new one. The older
/// one stays beside it (run_folder.h).
void save_checkpoint(const std::filesystem::path& folder, const LoadedModel& model, const AdamW& optimizer,
                     const RunRecord& record = {});
/// The end of save_checkpoint, after the rename: encoding.toml is written and older files are dropped. A run
/// that was killed in between does it when it resumes.
void complete_checkpoint(const std::filesystem::path& folder, const LoadedModel& model);
/// Writes the model to folder/best, a folder that load_model opens, unless the one there has a smaller
/// validation loss. A model of iteration 0 replaces what an earlier run left.
void keep_best(const std::filesystem::path& folder, const LoadedModel& model, double validation_loss);
}  // namespace gpe::model
