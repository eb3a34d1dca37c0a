// A model without rotations in GPT-2's layout. Tests: tests/model/interop_export_test.py
#include <nlohmann/json.hpp>

#include "model/interop/export_model.h"

namespace gpe::model {

namespace {

bool is_transposed(const std::string& name) {
  for (const char* part :
       {"attn.c_attn.weight", "attn.c_proj.weight", "mlp.c_fc.weight", "mlp.c_proj.weight"}) {
    if (name.ends_with(part)) return true;
  }
  return false;
}

std::string bias_beside(const std::string& weight) {
  return weight.substr(0, weight.size() - std::string_view("weight").size()) + "bias";
}

}  // namespace

ExportedModel as_gpt2(const LoadedModel& model, const ExportOptions& options) {
  const TsmConfig::Model& m = model.config.model;
  ExportedModel result;
  for (const NamedTensor& weight : model.transformer->weights()) {
    const at::Tensor tensor = weight.tensor.detach();
    result.weights.push_back({weight.name, is_transposed(weight.name) ? tensor.t() : tensor});
    const bool has_bias =
        weight.name.find(".h.") != std::string::npos || weight.name == "transformer.ln_f.weight";
    if (!m.bias && has_bias)  // which GPT-2 has everywhere: out of a map as many as its rows
      result.weights.push_back({bias_beside(weight.name), at::zeros({tensor.size(0)}, at::kFloat)});
  }
  if (m.position_table == 0)
    result.weights.push_back({"transformer.wpe.weight", at::zeros({options.positions, m.width}, at::kFloat)});
  nlohmann::ordered_json config = {{"architectures", {"GPT2LMHeadModel"}},
                                   {"model_type", "gpt2"},
                                   {"vocab_size", m.vocabulary_padded},
                                   {"n_positions", options.positions},
                                   {"n_embd", m.width},
                                   {"n_layer", m.layers},
                                   {"n_head", m.heads},
                                   {"n_inner", model.config.feed_forward()},
                                   {"activation_function", written_activation(m.activation)},
                                   {"layer_norm_epsilon", m.norm_epsilon},
                                   {"tie_word_embeddings", m.tied_head},
                                   {"resid_pdrop", 0.0},
                                   {"embd_pdrop", 0.0},
                                   {"attn_pdrop", 0.0}};
  result.config = config.dump();
  return result;
}

}  // namespace gpe::model
