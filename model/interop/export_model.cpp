#include "model/interop/export_model.h"
// Tests: tests/model/interop/interop_test.cpp
#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/cli/file_inside.h"
#include "checks/cli/write_file.h"
#include "model/data/safetensors.h"
#include "model/interop/activation_names.h"
#include "model/interop/modeling_tsm.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace fs = std::filesystem;
using theory::SpecError;

namespace {

constexpr std::int64_t kLeastPositions = 2048;

// Why this model is no GPT-2, or no GPT-NeoX; empty when it is one.
std::string misfit(const LoadedModel& model, const StockPosition& stock, const std::string& layout) {
  if (layout == "tsm") return "";
  if (!stock.other.empty()) return stock.other;
  if (layout == "gpt2") {
    if (stock.rotation) return "it has rotations";
    return model.config.model.parallel_residual ? "it has parallel residuals" : "";
  }
  if (!stock.rotation) return "it has no rotations";
  return model.config.model.position_table > 0 ? "it has a table of positions" : "";
}

std::string choose_layout(const LoadedModel& model, const StockPosition& stock, const std::string& wanted) {
  if (!wanted.empty()) {
    const std::string reason = misfit(model, stock, wanted);
    if (!reason.empty()) throw SpecError("the model does not fit into the layout " + wanted + ": " + reason);
    return wanted;
  }
  for (const char* layout : {"gpt2", "gpt_neox"}) {
    if (misfit(model, stock, layout).empty()) return layout;
  }
  return "tsm";
}

std::string with_end(const std::string& config, std::int64_t end_token) {
  auto json = nlohmann::ordered_json::parse(config);
  for (const char* key : {"bos_token_id", "eos_token_id"}) {
    json[key] = end_token >= 0 ? nlohmann::ordered_json(end_token) : nlohmann::ordered_json(nullptr);
  }
  return json.dump(2) + "\n";
}

void write_weights(const fs::path& file, std::vector<NamedTensor> weights) {
  std::vector<TensorView> views;
  for (NamedTensor& weight : weights) {
    weight.tensor = weight.tensor.to(at::kFloat).contiguous();
    views.push_back(
        {weight.name,
         TensorType::f32,
         weight.tensor.sizes().vec(),
         {static_cast<const std::byte*>(weight.tensor.const_data_ptr()), weight.tensor.nbytes()}});
  }
  write_safetensors(file, views, {{"format", "pt"}});
}

}  // namespace

std::string written_activation(const std::string& ours) {
  const auto found = std::ranges::find(kActivationNames, ours, [](const auto& pair) { return pair.second; });
  return std::string(found->first);
}

std::string export_model(const LoadedModel& model, const ExportOptions& options, const fs::path& folder) {
  if (model.config.gated() || model.config.model.norm != "layer")
    throw SpecError("the model has SwiGLU or RMSNorm; expected one without, as every layout");
  if (const auto normalizer = model.positions->normalizer(); normalizer != theory::Normalizer::softmax)
    throw SpecError("the model has normalizer = \"" + std::string(theory::name_of(normalizer)) +
                    "\"; expected \"softmax\", as every layout");
  ExportOptions complete = options;
  const std::int64_t table = model.config.model.position_table;
  if (table > 0) {
    if (options.positions != 0 && options.positions != table)
      throw SpecError("the model has a table of " + std::to_string(table) + " positions, no other number");
    complete.positions = table;
  } else if (options.positions == 0) {
    complete.positions = std::max(kLeastPositions, model.config.training.context);
  }
  const StockPosition stock = stock_position(model, complete.positions);
  const std::string layout = choose_layout(model, stock, options.layout);
  const ExportedModel exported = [&] {
    if (layout == "gpt2") return as_gpt2(model, complete);
    return layout == "gpt_neox" ? as_gpt_neox(model, *stock.rotation, complete) : as_tsm(model, complete);
  }();
  if (layout == "tsm") check_table_names(model.encoding);
  fs::create_directories(folder);
  const auto inside = [&](const char* name) { return checks::file_inside(folder, name); };
  const fs::path weights = inside("model.safetensors");
  if (layout == "tsm") {
    write_model(weights, model, exported.weights);
    write_encoding_files(
        model.positions->files(model.transformer->raw_numbers(), model.transformer->measured()),
        folder / "encoding.toml");
    checks::write_file(inside("modeling_tsm.py"), kModelingTsm);
  } else {
    write_weights(weights, exported.weights);
  }
  checks::write_file(inside("config.json"), with_end(exported.config, options.end_token));
  return layout;
}

}  // namespace gpe::model
