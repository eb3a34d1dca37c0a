#include "model/interop/open_model.h"
// Tests: tests/model/interop/interop_test.cpp
#include "model/gpt/tensor_checks.h"
#include "model/interop/imported_model.h"

namespace gpe::model {

namespace fs = std::filesystem;

namespace {

ImportedModel read(const std::string& family, const JsonConfig& json, WeightFolder& weights) {
  if (family == "gpt2") return read_gpt2(json, weights);
  if (family == "gpt_neox") return read_gpt_neox(json, weights);
  return read_nanogpt(json, weights);
}

}  // namespace

LoadedModel open_model(const fs::path& place, const theory::ConstantOracle& oracle,
                       const std::string& dtype) {
  constexpr const char* config_file = "config.json";
  if (!fs::is_directory(place) || !fs::exists(place / config_file)) return load_model(place, oracle, dtype);
  const JsonConfig json(place / config_file);
  const std::string family = json.text("model_type", {"gpt2", "gpt_neox", "nanogpt", "tsm"});
  if (family == "tsm") return load_model(place, oracle, dtype);
  if (json.has("quantization_config")) json.fail("quantization_config", "weights that are not quantized");
  WeightFolder weights(place);
  ImportedModel imported = read(family, json, weights);
  if (!dtype.empty()) imported.config.training.dtype = dtype;
  LoadedModel model = unset_model(imported.config, imported.encoding, oracle);
  const at::NoGradGuard no_gradients;
  for (const NamedTensor& weight : model.transformer->weights()) {
    weight.tensor.copy_(imported.weights.at(weight.name)());
    require_finite(weight.tensor, weight.name, place.string());  // in the type that it has here
  }
  return model;
}

}  // namespace gpe::model
