#include "checks/configs/config_type.h"

#include <algorithm>
#include <map>

#include "checks/configs/config_defaults.h"
#include "checks/configs/other_formats.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace fs = std::filesystem;

namespace {

// Of a type that is newer than transformers 5.23: whose code is read, and what it has by default.
struct Newer {
  std::string reader;
  std::string defaults;
};

const std::map<std::string, Newer>& newer_types() {
  static const std::map<std::string, Newer> all = {
      {"alice_ai",
       {"vLLM",
        R"({"hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2,
            "head_dim": 256, "max_position_embeddings": 262144, "partial_rotary_factor": 0.25,
            "default_theta": 1000000, "reads_partial_rotary_factor": true, "reads_layer_types": "always"})"}},
      {"bailing_moe_v3",
       {"vLLM",
        R"({"hidden_size": 2048, "num_hidden_layers": 20, "num_attention_heads": 16, "layer_group_size": 5,
            "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
            "max_position_embeddings": 32768, "default_theta": 600000})"}},
      {"berrylm",
       {"vLLM",
        R"({"hidden_size": 2048, "num_hidden_layers": 40, "num_attention_heads": 16, "num_key_value_heads": 2,
            "head_dim": 256, "max_position_embeddings": 262144, "partial_rotary_factor": 0.25,
            "default_theta": 10000000, "reads_partial_rotary_factor": true, "reads_layer_types": "always"})"}},
      {"enggpt_moe",
       {"MLX",
        R"({"hidden_size": 2880, "num_hidden_layers": 24, "num_attention_heads": 32, "num_key_value_heads": 4,
            "default_theta": 1000000})"}},
      {"gigachat3_5",
       {"vLLM",
        R"({"hidden_size": 7168, "num_hidden_layers": 40, "num_attention_heads": 64, "num_key_value_heads": 64,
            "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
            "max_position_embeddings": 131072, "default_theta": 100000})"}},
      {"maple",
       {"vLLM",
        R"({"hidden_size": 2048, "num_hidden_layers": 24, "num_attention_heads": 16, "num_key_value_heads": 4,
            "head_dim": 128, "max_position_embeddings": 131072, "sliding_window": 512, "use_qk_norm": true,
            "nope_on_global_attention": true, "partial_rotary_factor": 0.5,
            "reads_partial_rotary_factor": true})"}},
      {"sarvam_moe", {"vLLM", R"({"use_qk_norm": true})"}},
      {"spark2_5", {"SGLang", R"({"reads_partial_rotary_factor": true, "reads_layer_types": "always"})"}}};
  return all;
}

// Types whose text decoder is this one, whatever it calls itself.
std::string wrapped(const std::string& type) {
  if (type == "kimi_k3") return "kimi_linear";
  return type == "bailing_moe_v3_vl" ? "bailing_moe_v3" : "";
}

// Of files that state all that counts.
const std::string& formats_defaults() {
  static const std::string all = R"({"reads_partial_rotary_factor": true, "reads_layer_types": "always"})";
  return all;
}

JsonConfig with_defaults(const JsonConfig& config, const std::string& type) {
  const auto known = config_defaults().find(type);
  if (known != config_defaults().end()) return config.with_defaults(known->second);
  const auto newer = newer_types().find(type);
  if (newer != newer_types().end()) return config.with_defaults(newer->second.defaults);
  if (type.starts_with("megatron")) return config.with_defaults(formats_defaults());
  return config;
}

std::string renamed(const std::string& type) {
  const auto alias = config_aliases().find(type);
  return alias == config_aliases().end() ? type : alias->second;
}

JsonConfig type_alone(const std::string& type) { return {"{\"model_type\": \"" + type + "\"}", "--as"}; }

// The types that read most keys of a config, where one reads more than others do: at most three.
std::vector<std::string> nearest_by_keys(const JsonConfig& whole, void (*read)(const JsonConfig&)) {
  const JsonConfig::Path place = text_place(whole);
  std::string around = theory::joined(place, ".");
  if (!around.empty()) around += '.';
  std::vector<std::string> best;
  std::ptrdiff_t most = 0;
  for (const std::string& type : family_types()) {
    const JsonConfig as = whole.patched(type_alone(type), place);
    try {
      read(as);
    } catch (const theory::SpecError&) {  // it is none of these
      continue;
    }
    JsonConfig decoder = whole;
    for (const std::string& part : place) decoder = decoder.object(part);
    const std::vector<std::string> keys = decoder.keys();
    const std::ptrdiff_t looked_at =
        std::ranges::count_if(keys, [&](const std::string& key) { return as.was_asked(around + key); });
    if (looked_at > most) best.clear();
    most = std::max(most, looked_at);
    if (looked_at == most && best.size() < 3) best.push_back(type);
  }
  return best;
}

}  // namespace

std::string reader_of(const std::string& type) {
  const auto newer = newer_types().find(type);
  return newer == newer_types().end() ? "" : newer->second.reader;
}

JsonConfig::Path text_place(const JsonConfig& config) {
  for (const char* part : kTextParts) {
    const auto inner = config.stated_object(part);
    if (!inner) continue;
    JsonConfig::Path place = text_place(*inner);
    place.insert(place.begin(), part);
    return place;
  }
  return {};
}

std::pair<JsonConfig, std::string> text_decoder(const JsonConfig& config) {
  for (const char* key : kTextParts) {
    if (!config.has(key)) continue;
    const JsonConfig inner = config.object(key);
    const std::string part = config.has("model_type") ? wrapped(config.text("model_type")) : "";
    if (!part.empty()) return {with_defaults(inner, part), part};
    const bool goes_on =
        std::ranges::any_of(kTextParts, [&](const char* deeper) { return inner.has(deeper); });
    if (inner.has("model_type") || goes_on) return text_decoder(inner);
    const std::string type = renamed(config.text("model_type"));
    return {with_defaults(inner, type), type};
  }
  if (!config.has("model_type") && config.is_object("generator") && config.object("generator").has("program"))
    throw theory::SpecError(config.source() + ": is a report of " +
                            config.object("generator").text("program") +
                            "; expected the config.json of a model");
  if (!config.has("model_type") && config.has("tokenizer_class"))
    throw theory::SpecError(config.source() + ": of a tokenizer; expected the config.json of a model");
  const std::string type = renamed(config.text("model_type"));
  return {with_defaults(config, type), type};
}

const ModelFamily& family_of(const std::string& type, const JsonConfig& whole,
                             void (*read)(const JsonConfig&)) {
  if (const ModelFamily* known = known_family(type)) return *known;
  const JsonConfig decoder = text_decoder(whole).first;
  const std::string where = whole.source() + ": key 'model_type' is \"" + type + "\", ";
  if (const std::string refusal = refusal_of(type, decoder); !refusal.empty())
    throw theory::SpecError(where + refusal);
  std::string said = where + "which is not known here" + theory::did_you_mean(type, family_types(), ";");
  const std::vector<std::string> nearest = nearest_by_keys(whole, read);
  if (nearest.empty()) throw theory::SpecError(said + " expected a type of docs/tables/models.md");
  throw theory::SpecError(said + " --as TYPE reads it as a known one; by its keys it is nearest to " +
                          theory::joined(nearest, ", "));
}

JsonConfig read_config(const fs::path& file_or_folder, const std::string& as) {
  std::error_code ignored;
  const bool folder = fs::is_directory(file_or_folder, ignored);
  const JsonConfig config = config_of_file(folder ? file_or_folder / kConfigFile : file_or_folder);
  if (as.empty()) return config;
  if (fs::path(as).extension() == ".json")
    return config.patched(JsonConfig(fs::path(as)), text_place(config));
  if (known_family(renamed(as)) == nullptr)
    throw theory::SpecError("--as " + as + ": expected a known model_type, or a .json file with keys" +
                            theory::did_you_mean(as, family_types()));
  return config.patched(type_alone(as), text_place(config));
}

}  // namespace gpe::checks
