// GPT-NeoX and Pythia as transformers saves them. Tests: tests/model/interop_import_test.py
#include "model/interop/imported_model.h"
#include "model/interop/qkv_rows.h"
#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

struct Rotation {
  double base = 10000;
  double fraction = 0.25;
  double factor = 1;  ///< divides positions
};

double number_or(const JsonConfig& json, const std::string& key, double low, double high, double by_default) {
  return json.has(key) ? json.number(key, low, high) : by_default;
}

// Since its release 5 transformers writes one object; before, several keys.
Rotation read_rotation(const JsonConfig& json) {
  constexpr double most_base = 1e12;
  Rotation rotation;
  rotation.base = number_or(json, json.has("rotary_emb_base") ? "rotary_emb_base" : "rope_theta", 1,
                            most_base, rotation.base);
  rotation.fraction = number_or(json, json.has("rotary_pct") ? "rotary_pct" : "partial_rotary_factor", 0, 1,
                                rotation.fraction);
  const char* object = json.has("rope_scaling") ? "rope_scaling" : "rope_parameters";
  if (!json.has(object)) return rotation;
  const JsonConfig rope = json.object(object);
  rotation.base = number_or(rope, "rope_theta", 1, most_base, rotation.base);
  rotation.fraction = number_or(rope, "partial_rotary_factor", 0, 1, rotation.fraction);
  const char* type = rope.has("type") && !rope.has("rope_type") ? "type" : "rope_type";
  if (rope.has(type) && rope.text(type, {"default", "linear"}) == "linear")
    rotation.factor = rope.number("factor", 1e-6, 1e6);
  return rotation;
}

std::int64_t turned_coordinates(const JsonConfig& json, std::int64_t head_dim, double fraction) {
  const auto turned = static_cast<std::int64_t>(static_cast<double>(head_dim) * fraction);
  if (turned < 2 || turned % 2 != 0) {
    throw theory::SpecError(json.source() + ": key 'partial_rotary_factor' or 'rotary_pct' is " +
                            decimal(fraction) + " of " + std::to_string(head_dim) +
                            " coordinates; expected an even number of them, from 2");
  }
  return turned;
}

EncodingFiles neox_encoding(const JsonConfig& json, const Rotation& rotation, std::int64_t turned) {
  const auto parameter = [](const std::string& name, const std::string& value, const std::string& domain,
                            const std::string& doc) {
    return name + " = { default = \"" + value + "\", domain = \"" + domain + "\", doc = \"" + doc + "\" }\n";
  };
  const bool divided = rotation.factor != 1;
  EncodingFiles files;
  files.toml =
      "schema = 1\nname = \"gpt-neox\"\ntitle = \"GPT-NeoX: the first coordinates turn\"\n\n[parameters]\n" +
      parameter("base", decimal(rotation.base), "base >= 1", "rotation base") +
      parameter("turned", std::to_string(turned), "turned >= 2", "coordinates that turn") +
      (divided ? parameter("factor", decimal(rotation.factor), "factor > 0", "divides positions") : "") +
      "\n[score]\ntransform = \"rotation\"\n\n[score.rotation]\n"
      "angle = \"if(2*j < turned, base^(-2*j/turned)*n" +
      (divided ? "/factor" : "") + ", 0)\"\n";
  files.source = json.source() + ": encoding";
  return files;
}

TsmConfig read_config(const JsonConfig& json) {
  TsmConfig config;
  TsmConfig::Model& m = config.model;
  m.layers = json.integer("num_hidden_layers", 1, 1024);
  m.heads = json.integer("num_attention_heads", 1, 1024);
  m.width = json.integer("hidden_size", 2, 1 << 20);
  m.feed_forward = json.integer("intermediate_size", 1, 1 << 22);
  m.vocabulary = m.vocabulary_padded = json.integer("vocab_size", 1, 65536);
  config.training.context = json.integer("max_position_embeddings", 1, 1 << 24);
  m.bias = true;
  m.activation = read_activation(json, "hidden_act", "gelu");
  m.norm_epsilon = number_or(json, "layer_norm_eps", 0, 1, 1e-5);
  m.parallel_residual = !json.has("use_parallel_residual") || json.flag("use_parallel_residual");
  m.tied_head = json.has("tie_word_embeddings") && json.flag("tie_word_embeddings");
  return config;
}

struct Taking {
  WeightReader& reader;
  std::int64_t width;

  void norm(const std::string& ours, const std::string& theirs) const {
    reader.take(ours + ".weight", theirs + ".weight", {width});
    reader.take(ours + ".bias", theirs + ".bias", {width});
  }
  void map(const std::string& ours, const std::string& theirs, std::int64_t out, std::int64_t in,
           bool bias) const {
    reader.take(ours + ".weight", theirs + ".weight", {out, in});
    if (bias) {
      reader.take(ours + ".bias", theirs + ".bias", {out});
    } else {
      reader.zeros(ours + ".bias", out);
    }
  }
};

}  // namespace

ImportedModel read_gpt_neox(const JsonConfig& json, WeightFolder& folder) {
  ImportedModel model;
  model.config = read_config(json);
  check_config(model.config);
  const TsmConfig::Model& m = model.config.model;
  const Rotation rotation = read_rotation(json);
  const std::int64_t turned = turned_coordinates(json, model.config.head_dim(), rotation.fraction);
  model.encoding = neox_encoding(json, rotation, turned);
  const auto rows = neox_rows(m.heads, model.config.head_dim(), turned, theory::Layout::half);
  const bool attention_bias = !json.has("attention_bias") || json.flag("attention_bias");
  // Saved without its head, the names have no prefix.
  const std::string prefix = folder.has("embed_in.weight") ? "" : "gpt_neox.";
  WeightReader reader(folder, model);
  const Taking take{reader, m.width};
  reader.take("transformer.wte.weight", prefix + "embed_in.weight", {m.vocabulary, m.width});
  for (std::int64_t layer = 0; layer < m.layers; ++layer) {
    const std::string ours = "transformer.h." + std::to_string(layer) + ".";
    const std::string theirs = prefix + "layers." + std::to_string(layer) + ".";
    take.norm(ours + "ln_1", theirs + "input_layernorm");
    take.map(ours + "attn.c_attn", theirs + "attention.query_key_value", 3 * m.width, m.width,
             attention_bias);
    for (const char* part : {"weight", "bias"}) reader.reorder(ours + "attn.c_attn." + part, rows);
    take.map(ours + "attn.c_proj", theirs + "attention.dense", m.width, m.width, attention_bias);
    take.norm(ours + "ln_2", theirs + "post_attention_layernorm");
    take.map(ours + "mlp.c_fc", theirs + "mlp.dense_h_to_4h", m.feed_forward, m.width, true);
    take.map(ours + "mlp.c_proj", theirs + "mlp.dense_4h_to_h", m.width, m.feed_forward, true);
    for (const char* buffer : {"bias", "masked_bias", "rotary_emb.inv_freq"})
      folder.ignore(theirs + "attention." + buffer);
  }
  take.norm("transformer.ln_f", prefix + "final_layer_norm");
  // transformers saves the head as embed_out, and calls it lm_head in memory since its release 5.
  reader.take_head(folder.has("lm_head.weight") ? "lm_head.weight" : "embed_out.weight",
                   prefix + "embed_in.weight");
  folder.expect_no_others("a GPT-NeoX model");
  return model;
}

}  // namespace gpe::model
