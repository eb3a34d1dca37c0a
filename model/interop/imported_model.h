// What a folder of another program is as a Transformer: one function for each family that is read.
// Tests: tests/model/interop_import_test.py
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "checks/configs/json_config.h"
#include "model/gpt/config.h"
#include "model/interop/weight_folder.h"
#include "model/position/encoding_files.h"

namespace gpe::model {

using checks::JsonConfig;

struct ImportedModel {
  TsmConfig config;
  EncodingFiles encoding;
  /// The value of each weight of the Transformer, by its name there. The shapes are checked; the numbers are
  /// read when they are asked for, as long as the WeightFolder lives.
  std::map<std::string, std::function<at::Tensor()>> weights;
};

/// The families, and what `model_type` of config.json says. Each @throws theory::SpecError  a key or a tensor
/// that is missing, wrong, or of a kind that the Transformer does not have.

/// "gpt2": OpenAI's, with a learned table of positions. scale_attn_weights and
/// scale_attn_by_inverse_layer_idx are gains of the encoding.
ImportedModel read_gpt2(const JsonConfig& json, WeightFolder& folder);
/// "gpt_neox": GPT-NeoX and Pythia. Rotations of the first coordinates, all of one base, their angles perhaps
/// divided by a factor (rope_type "linear").
ImportedModel read_gpt_neox(const JsonConfig& json, WeightFolder& folder);
/// "nanogpt": what model/interop/convert_nanogpt.py makes of a ckpt.pt.
ImportedModel read_nanogpt(const JsonConfig& json, WeightFolder& folder);

/// "gelu", "gelu_tanh" or "relu" for transformers' name of an activation.
std::string read_activation(const JsonConfig& json, const std::string& key, const std::string& by_default);

/// Fills in ImportedModel::weights. Shapes are those of the Transformer.
class WeightReader {
 public:
  WeightReader(WeightFolder& folder, ImportedModel& model) : folder_(folder), model_(model) {}

  void take(const std::string& ours, const std::string& theirs, const std::vector<std::int64_t>& shape);
  /// A matrix that the file has transposed.
  void take_transposed(const std::string& ours, const std::string& theirs, std::int64_t out, std::int64_t in);
  /// What the model does not have, and the Transformer then needs as zeros.
  void zeros(const std::string& ours, std::int64_t size);
  /// The rows in another order, of a weight that was taken: row i is theirs at rows[i].
  void reorder(const std::string& ours, const std::vector<std::int64_t>& rows);
  /// The last linear map, unless it is tied; beside a tied one the file may have the embedding once more.
  void take_head(const std::string& theirs, const std::string& embedding);

 private:
  WeightFolder& folder_;
  ImportedModel& model_;
};

}  // namespace gpe::model
