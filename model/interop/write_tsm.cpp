// Any model as a class of its own: its encoding as tables, beside the Python code that reads them.
// Tests: tests/model/interop_export_test.py
#include <nlohmann/json.hpp>

#include "model/interop/export_model.h"
#include "model/interop/position_tables.h"

namespace gpe::model {

namespace {

std::string name_of(Content content) {
  switch (content) {
    case Content::none:
      return "none";
    case Content::dot_product:
      return "dot_product";
    case Content::rotation:
      return "rotation";
    case Content::hyperbolic:
      return "hyperbolic";
  }
  return "";
}

}  // namespace

ExportedModel as_tsm(const LoadedModel& model, const ExportOptions& options) {
  const TsmConfig::Model& m = model.config.model;
  const PositionTables tables = position_tables(model, options.positions);
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const NamedTensor& table : tables.tensors) {
    const std::string name = table.name.substr(std::string_view("position.").size());
    if (name != "row" && name != "first" && name != "last") names.push_back(name);
  }
  const nlohmann::ordered_json config = {
      {"architectures", {"TsmForCausalLM"}},
      {"model_type", "tsm"},
      {"auto_map",
       {{"AutoConfig", "modeling_tsm.TsmConfig"}, {"AutoModelForCausalLM", "modeling_tsm.TsmForCausalLM"}}},
      {"vocab_size", m.vocabulary_padded},
      {"hidden_size", m.width},
      {"num_hidden_layers", m.layers},
      {"num_attention_heads", m.heads},
      {"intermediate_size", model.config.feed_forward()},
      {"max_position_embeddings", options.positions},
      {"position_table", m.position_table},
      {"bias", m.bias},
      {"activation", m.activation},
      {"layer_norm_eps", m.norm_epsilon},
      {"parallel_residual", m.parallel_residual},
      {"tied_head", m.tied_head},
      {"encoding", model.positions->name()},
      {"content", name_of(tables.content)},
      {"layout", tables.layout == theory::Layout::half ? "half" : "interleaved"},
      {"position_rows", tables.rows},
      {"position_tables", names}};
  return {config.dump(), tables.tensors};
}

}  // namespace gpe::model
