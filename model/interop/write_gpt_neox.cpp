// A model with rotations in GPT-NeoX's layout. Tests: tests/model/interop_export_test.py
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/interop/export_model.h"
#include "model/interop/qkv_rows.h"

namespace gpe::model {

namespace {

// Row rows[i] is ours at i.
at::Tensor put_back(const at::Tensor& ours, const std::vector<std::int64_t>& rows) {
  return at::empty_like(ours).index_copy_(0, at::tensor(rows, at::kLong), ours);
}

// The part of head_dim coordinates that gives `turned` when it is multiplied and cut off, as transformers
// does.
double fraction_of(std::int64_t turned, std::int64_t head_dim) {
  const auto whole = static_cast<double>(head_dim);
  const double fraction = static_cast<double>(turned) / whole;
  return std::floor(whole * fraction) < static_cast<double>(turned) ? std::nextafter(fraction, 1.0)
                                                                    : fraction;
}

nlohmann::ordered_json config_of(const LoadedModel& model, const StockRotation& rotation,
                                 const ExportOptions& options) {
  const TsmConfig::Model& m = model.config.model;
  const double fraction = fraction_of(rotation.turned, model.config.head_dim());
  nlohmann::ordered_json rope = {{"rope_type", rotation.factor == 1 ? "default" : "linear"},
                                 {"rope_theta", rotation.base},
                                 {"partial_rotary_factor", fraction}};
  if (rotation.factor != 1) rope["factor"] = rotation.factor;
  nlohmann::ordered_json config = {{"architectures", {"GPTNeoXForCausalLM"}},
                                   {"model_type", "gpt_neox"},
                                   {"vocab_size", m.vocabulary_padded},
                                   {"max_position_embeddings", options.positions},
                                   {"hidden_size", m.width},
                                   {"num_hidden_layers", m.layers},
                                   {"num_attention_heads", m.heads},
                                   {"intermediate_size", model.config.feed_forward()},
                                   {"hidden_act", written_activation(m.activation)},
                                   {"layer_norm_eps", m.norm_epsilon},
                                   {"tie_word_embeddings", m.tied_head},
                                   {"use_parallel_residual", m.parallel_residual},
                                   {"attention_bias", true},
                                   {"attention_dropout", 0.0},
                                   {"hidden_dropout", 0.0},
                                   {"rope_parameters", rope},
                                   // for releases before 5
                                   {"rotary_pct", fraction},
                                   {"rotary_emb_base", rotation.base}};
  if (rotation.factor != 1)
    config["rope_scaling"] = {{"type", "linear"}, {"rope_type", "linear"}, {"factor", rotation.factor}};
  return config;
}

}  // namespace

ExportedModel as_gpt_neox(const LoadedModel& model, const StockRotation& rotation,
                          const ExportOptions& options) {
  const TsmConfig::Model& m = model.config.model;
  const auto rows = neox_rows(m.heads, model.config.head_dim(), rotation.turned, rotation.layout);
  std::map<std::string, at::Tensor> ours;
  for (const NamedTensor& weight : model.transformer->weights()) ours[weight.name] = weight.tensor.detach();
  ExportedModel result;
  const auto put = [&](const std::string& name, const at::Tensor& tensor) {
    result.weights.push_back({name, tensor});
  };
  const auto put_pair = [&](const std::string& theirs, const std::string& name, bool is_qkv = false) {
    const at::Tensor weight = ours.at(name + ".weight");
    const at::Tensor bias = m.bias ? ours.at(name + ".bias") : at::zeros({weight.size(0)}, weight.options());
    put(theirs + ".weight", is_qkv ? put_back(weight, rows) : weight);
    put(theirs + ".bias", is_qkv ? put_back(bias, rows) : bias);
  };
  put("gpt_neox.embed_in.weight", ours.at("transformer.wte.weight"));
  for (std::int64_t layer = 0; layer < m.layers; ++layer) {
    const std::string from = "transformer.h." + std::to_string(layer) + ".";
    const std::string to = "gpt_neox.layers." + std::to_string(layer) + ".";
    put_pair(to + "input_layernorm", from + "ln_1");
    put_pair(to + "attention.query_key_value", from + "attn.c_attn", true);
    put_pair(to + "attention.dense", from + "attn.c_proj");
    put_pair(to + "post_attention_layernorm", from + "ln_2");
    put_pair(to + "mlp.dense_h_to_4h", from + "mlp.c_fc");
    put_pair(to + "mlp.dense_4h_to_h", from + "mlp.c_proj");
  }
  put_pair("gpt_neox.final_layer_norm", "transformer.ln_f");
  if (!m.tied_head) put("embed_out.weight", ours.at("lm_head.weight"));
  result.config = config_of(model, rotation, options).dump();
  return result;
}

}  // namespace gpe::model
