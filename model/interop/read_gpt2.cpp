// GPT-2 as transformers saves it, and nanoGPT's checkpoints: the same names, up to transposed matrices.
// Tests: tests/model/interop_import_test.py
#include "model/interop/imported_model.h"

namespace gpe::model {

namespace {

TsmConfig read_sizes(const JsonConfig& json, const std::string& positions) {
  TsmConfig config;
  TsmConfig::Model& m = config.model;
  m.layers = json.integer("n_layer", 1, 1024);
  m.heads = json.integer("n_head", 1, 1024);
  m.width = json.integer("n_embd", 2, 1 << 20);
  m.vocabulary = m.vocabulary_padded = json.integer("vocab_size", 1, 65536);
  m.position_table = config.training.context = json.integer(positions, 1, 1 << 24);
  return config;
}

EncodingFiles gpt2_encoding(const JsonConfig& json) {
  const auto flag = [&](const char* key, bool by_default) {
    return json.has(key) ? json.flag(key) : by_default;
  };
  std::string gain = flag("scale_attn_weights", true) ? "1" : "sqrt(d)";
  if (flag("scale_attn_by_inverse_layer_idx", false)) gain += "/layer";
  EncodingFiles files;
  files.toml =
      "schema = 1\nname = \"gpt2\"\ntitle = \"GPT-2: position is in a learned table alone\"\n\n"
      "[score]\ngain = \"" +
      gain + "\"\n";
  files.source = json.source() + ": encoding";
  return files;
}

void take_all(ImportedModel& model, WeightFolder& folder, const std::string& prefix, bool transposed) {
  const TsmConfig::Model& m = model.config.model;
  const std::int64_t inner = model.config.feed_forward();
  WeightReader reader(folder, model);
  const auto take = [&](const std::string& name, const std::vector<std::int64_t>& shape) {
    reader.take("transformer." + name, prefix + name, shape);
  };
  const auto take_norm = [&](const std::string& name) {
    take(name + ".weight", {m.width});
    if (m.bias) take(name + ".bias", {m.width});
  };
  const auto take_map = [&](const std::string& name, std::int64_t out, std::int64_t in) {
    if (transposed) {
      reader.take_transposed("transformer." + name + ".weight", prefix + name + ".weight", out, in);
    } else {
      take(name + ".weight", {out, in});
    }
    if (m.bias) take(name + ".bias", {out});
  };
  take("wte.weight", {m.vocabulary, m.width});
  take("wpe.weight", {m.position_table, m.width});
  for (std::int64_t layer = 0; layer < m.layers; ++layer) {
    const std::string at = "h." + std::to_string(layer) + ".";
    take_norm(at + "ln_1");
    take_map(at + "attn.c_attn", 3 * m.width, m.width);
    take_map(at + "attn.c_proj", m.width, m.width);
    take_norm(at + "ln_2");
    take_map(at + "mlp.c_fc", inner, m.width);
    take_map(at + "mlp.c_proj", m.width, inner);
    for (const char* mask : {"bias", "masked_bias"}) folder.ignore(prefix + at + "attn." + mask);
  }
  take_norm("ln_f");
  reader.take_head("lm_head.weight", prefix + "wte.weight");
}

}  // namespace

ImportedModel read_gpt2(const JsonConfig& json, WeightFolder& folder) {
  ImportedModel model;
  model.config = read_sizes(json, "n_positions");
  TsmConfig::Model& m = model.config.model;
  m.bias = true;
  if (json.has("n_inner")) m.feed_forward = json.integer("n_inner", 1, 1 << 22);
  m.activation = read_activation(json, "activation_function", "gelu_new");
  if (json.has("layer_norm_epsilon")) m.norm_epsilon = json.number("layer_norm_epsilon", 0, 1);
  m.tied_head = !json.has("tie_word_embeddings") || json.flag("tie_word_embeddings");
  if (json.has("add_cross_attention") && json.flag("add_cross_attention"))
    json.fail("add_cross_attention", "false: a decoder on its own");
  model.encoding = gpt2_encoding(json);
  // Saved without its head, the names have no prefix.
  take_all(model, folder, folder.has("wte.weight") ? "" : "transformer.", true);
  folder.expect_no_others("a GPT-2 model");
  return model;
}

ImportedModel read_nanogpt(const JsonConfig& json, WeightFolder& folder) {
  ImportedModel model;
  model.config = read_sizes(json, "block_size");
  model.config.model.bias = json.flag("bias");
  model.config.model.activation = read_activation(json, "activation_function", "gelu");
  model.encoding = gpt2_encoding(json);
  take_all(model, folder, "transformer.", false);
  folder.expect_no_others("a nanoGPT model");
  return model;
}

}  // namespace gpe::model
