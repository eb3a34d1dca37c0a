#include "checks/configs/other_formats.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "checks/cli/read_json.h"
#include "checks/configs/gguf_head.h"
#include "checks/configs/megatron_arguments.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace fs = std::filesystem;
using nlohmann::json;
using theory::SpecError;

namespace {

using Names = std::map<std::string, std::string>;

void rename_keys(json& target, const json& source, const Names& names) {
  for (const auto& [from, to] : names) {
    if (source.contains(from)) target[to] = source[from];
  }
}

// Null is as good as absent.
bool states(const json& object, const char* key) { return object.contains(key) && !object[key].is_null(); }

// An object of a params.json: every key is read, and renamed.
void take_object(json& rope, const json& params, const char* key, const Names& names,
                 const std::string& source) {
  const auto fail = [&](const std::string& what) { throw SpecError(source + ": key '" + key + what); };
  if (!params[key].is_object()) fail("': expected an object");
  for (const auto& [inner, value] : params[key].items()) {
    const auto name = names.find(inner);
    if (name == names.end())
      fail("." + inner + "' is not read; expected one of " +
           theory::joined(names, ", ", &Names::value_type::first));
    if (rope.contains(name->second) && rope[name->second] != value)
      fail("." + inner + "' is " + value.dump() + ", and " + rope[name->second].dump() + " elsewhere");
    rope[name->second] = value;
  }
}

// As vLLM's reader of params.json has it.
json config_of_params(const json& params, const std::string& source) {
  json config = params;
  config["model_type"] = states(params, "llama_4_scaling") ? "ministral3" : "mistral";
  if (states(params, "kv_lora_rank"))
    throw SpecError(source +
                    ": key 'kv_lora_rank': latent attention of a params.json is not read; expected none");
  rename_keys(config, params,
              {{"dim", "hidden_size"},
               {"n_layers", "num_hidden_layers"},
               {"n_heads", "num_attention_heads"},
               {"n_kv_heads", "num_key_value_heads"},
               {"max_seq_len", "max_position_embeddings"}});
  const char* length = "original_max_position_embeddings";
  json rope{{"rope_type", "default"}};
  if (states(params, "yarn")) {
    rope["rope_type"] = "yarn";
    take_object(rope, params, "yarn",
                {{"factor", "factor"},
                 {length, length},
                 {"beta", "beta_fast"},
                 {"alpha", "beta_slow"},
                 {"apply_scale", "apply_scale"}},
                source);
    const json scales = rope.value("apply_scale", json(true));
    rope.erase("apply_scale");
    if (!scales.is_boolean())
      throw SpecError(source + ": key 'yarn.apply_scale' is " + scales.dump() + "; expected true or false");
    if (scales == false) rope["attention_factor"] = 1.0;
  }
  if (states(params, "llama_4_scaling"))
    take_object(rope, params, "llama_4_scaling", {{"beta", "llama_4_scaling_beta"}, {length, length}},
                source);
  rename_keys(rope, params, {{"rope_theta", "rope_theta"}});
  config["rope_parameters"] = rope;
  if (!params.contains("sliding_window")) config["sliding_window"] = nullptr;
  return config;
}

// As llama.cpp has it: a factor without a type is linear, and 0 is none.
json rope_of_gguf(json values, const std::string& source) {
  if (!values.contains("rope.scaling.factor"))
    rename_keys(values, values, {{"rope.scale_linear", "rope.scaling.factor"}});
  const bool scales = values.value("rope.scaling.factor", json(0)) != 0;
  const json stated = values.value("rope.scaling.type", json(scales ? "linear" : "none"));
  std::string type = stated.is_string() ? stated.get<std::string>() : stated.dump();
  if (type == "linear" && !scales) type = "none";
  json rope{{"rope_type", type == "none" ? "default" : type}, {"rope_theta", 10000}};
  rename_keys(rope, values,
              {{"rope.freq_base", "rope_theta"},
               {"rope.scaling.original_context_length", "original_max_position_embeddings"},
               {"rope.scaling.yarn_beta_fast", "beta_fast"},
               {"rope.scaling.yarn_beta_slow", "beta_slow"}});
  if (type == "none") return rope;
  if (type != "linear" && type != "yarn")
    throw SpecError(source + ": key 'rope.scaling.type' is \"" + type + "\"; expected none, linear or yarn");
  rename_keys(rope, values, {{"rope.scaling.factor", "factor"}});
  const json attention = values.value("rope.scaling.attn_factor", json(1));  // times what YaRN has by itself
  if (!attention.is_number()) throw SpecError(source + ": key 'rope.scaling.attn_factor': expected a number");
  if (type == "yarn" && attention != 1 && rope.contains("factor") && rope["factor"].is_number())
    rope["attention_factor"] =
        attention.get<double>() * (0.1 * std::log(std::max(rope["factor"].get<double>(), 1.0)) + 1);
  return rope;
}

// Llama 3's factors, as its converter writes them: of frequencies that turn less than once in `train` tokens
// all of it, of those that turn 4 times or more none, and between them smoothly.
double llama3_factor(double factor, double train, double base, std::size_t block, std::size_t blocks) {
  constexpr double turn = 6.283185307179586;
  const double turns =
      train * std::pow(base, -static_cast<double>(block) / static_cast<double>(blocks)) / turn;
  if (turns > 4) return 1;
  if (turns < 1) return factor;
  const double smooth = (turns - 1) / 3;
  return 1 / ((1 - smooth) / factor + smooth);
}

// The rotation whose frequencies are over these factors.
void take_factors(json& rope, const std::vector<float>& factors, std::uint64_t blocks,
                  const std::string& source) {
  const std::string told = source + ": its tensor rope_freqs.weight has " + std::to_string(factors.size()) +
                           " factors of the frequencies";
  if (factors.size() != blocks)
    throw SpecError(told + "; expected " + std::to_string(blocks) + ", half the dimension of a head");
  if (rope["rope_type"] != "default")
    throw SpecError(told + ", and the rotation is scaled too; expected one of them");
  constexpr double train = 8192;
  const double factor = *std::ranges::max_element(factors);
  const json base = rope["rope_theta"];
  for (std::size_t j = 0; j < factors.size(); ++j) {
    const double expected =
        base.is_number() ? llama3_factor(factor, train, base.get<double>(), j, factors.size()) : 0;
    if (!(std::abs(factors[j] - expected) <= 1e-4 * expected))
      throw SpecError(told + "; factor " + std::to_string(j) + " is " + std::to_string(factors[j]) +
                      ", not that of Llama 3 with 8192 tokens; expected its config.json");
  }
  rope.update({{"rope_type", "llama3"},
               {"factor", factor},
               {"low_freq_factor", 1},
               {"high_freq_factor", 4},
               {"original_max_position_embeddings", train}});
}

// Windows that llama.cpp places otherwise than the class of transformers does.
void refuse_other_windows(const std::string& name, const json& values, const std::string& source) {
  static const std::map<std::string, int> periods = {{"gemma2", 2}, {"gemma3", 6}};
  const char* pattern = "attention.sliding_window_pattern";
  const auto period = periods.find(name);
  if (values.contains(pattern) && (period == periods.end() || values[pattern] != period->second))
    throw SpecError(source + ": key '" + pattern + "' is not that of " + name + "; expected its config.json");
  if (name == "olmo2" && values.value("attention.sliding_window", json(0)) != 0)
    throw SpecError(source +
                    ": windows of olmo2 are those of OLMo 3, which is not read; expected its config.json");
}

json config_of_gguf(const GgufHead& head, const std::string& source) {
  static const Names types = {{"llama", "llama"},        {"qwen2", "qwen2"},   {"qwen3", "qwen3"},
                              {"qwen3moe", "qwen3_moe"}, {"gemma2", "gemma2"}, {"gemma3", "gemma3_text"},
                              {"olmo2", "olmo2"}};
  const auto stated = head.values->find("general.architecture");
  const std::string name =
      stated != head.values->end() && stated->is_string() ? stated->get<std::string>() : "";
  const auto type = types.find(name);
  if (type == types.end())
    throw SpecError(source + ": key 'general.architecture' is \"" + name +
                    "\"; expected gemma2, gemma3, llama, olmo2, qwen2, qwen3 or qwen3moe");
  for (const char* tensor : {"rope_factors_long.weight", "rope_factors_short.weight"}) {
    if (head.tensors.contains(tensor))
      throw SpecError(source + ": its tensor " + tensor +
                      " has factors of the frequencies, which are not read; expected its config.json");
  }
  json values = json::object();
  for (const auto& [key, value] : head.values->items()) {
    if (key.starts_with(name + ".")) values[key.substr(name.size() + 1)] = value;
  }
  refuse_other_windows(name, values, source);
  json config{{"model_type", type->second}};
  rename_keys(config, values,
              {{"block_count", "num_hidden_layers"},
               {"embedding_length", "hidden_size"},
               {"attention.head_count", "num_attention_heads"},
               {"attention.head_count_kv", "num_key_value_heads"},
               {"attention.key_length", "head_dim"},
               {"attention.value_length", "v_head_dim"},
               {"context_length", "max_position_embeddings"},
               {"attention.sliding_window", "sliding_window"},
               {"attn_logit_softcapping", "attn_logit_softcapping"}});
  const auto whole = [&](const char* key) {
    if (!config.contains(key) || !config[key].is_number_unsigned() || config[key] == 0)
      throw SpecError(source + ": no whole number for " + key + "; expected one");
    return config[key].get<std::uint64_t>();
  };
  const std::uint64_t by_heads = whole("hidden_size") / whole("num_attention_heads");
  if (!config.contains("head_dim")) config["head_dim"] = by_heads;
  if (values.contains("rope.dimension_count") && values["rope.dimension_count"] != config["head_dim"])
    throw SpecError(source +
                    ": key 'rope.dimension_count' is not the dimension of a head; expected the whole head");
  json rope = rope_of_gguf(values, source);
  if (head.tensors.contains("rope_freqs.weight")) {
    if (name != "llama")
      throw SpecError(source + ": its tensor rope_freqs.weight has " +
                      std::to_string(head.rope_factors.size()) +
                      " factors, which are read for llama alone; " + "expected its config.json");
    take_factors(rope, head.rope_factors, whole("head_dim") / 2, source);
  }
  if (name == "gemma2" || name == "gemma3") {  // llama.cpp knows the 27B by its layers
    const bool largest = whole("num_hidden_layers") == (name == "gemma2" ? 46U : 62U);
    config["query_pre_attn_scalar"] = largest ? json(by_heads) : config["head_dim"];
  }
  if (name != "gemma3") {
    config["rope_parameters"] = rope;
    return config;
  }
  config["rope_theta"] = rope["rope_theta"];
  config["rope_local_base_freq"] = values.value("rope.freq_base_swa", json(10000));
  if (rope["rope_type"] != "default") config["rope_scaling"] = rope;
  return config;
}

}  // namespace

JsonConfig config_of_file(const fs::path& file) {
  const std::string source = file.string();
  const auto read_as = [&](const json& config, const std::string& what, const std::string& reader) {
    return JsonConfig(config.dump(), source).with_origin({what + ", read as", reader});
  };
  if (file.extension() == ".gguf")
    return read_as(config_of_gguf(read_gguf_head(file), source), "metadata of GGUF", "llama.cpp");
  const std::string text = theory::read_text_file(file);
  if (is_of_arguments(file))
    return read_as(config_of_megatron(text, source), "command-line arguments", "Megatron-LM");
  JsonConfig config(text, source);
  if (config.states("model_type") || !config.states("n_layers") || !config.states("dim")) return config;
  return read_as(config_of_params(read_json(text, source), source), "params.json", "vLLM");
}

bool is_of_arguments(const fs::path& file) {
  static const std::vector<std::string> endings = {".txt", ".args", ".sh"};
  return std::ranges::find(endings, file.extension().string()) != endings.end();
}

}  // namespace gpe::checks
