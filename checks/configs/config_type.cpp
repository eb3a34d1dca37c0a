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

// Types that are newer than transformers 5.23, by the classes of vLLM that read them.
const std::map<std::string, std::string>& newer_defaults() {
  static const std::map<std::string, std::string> all = {
      {"alice_ai",
       R"({"hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 16, "num_key_value_heads": 2,
           "head_dim": 256, "max_position_embeddings": 262144, "partial_rotary_factor": 0.25,
           "default_theta": 1000000, "reads_partial_rotary_factor": true, "reads_layer_types": "always"})"},
      {"berrylm",
       R"({"hidden_size": 2048, "num_hidden_layers": 40, "num_attention_heads": 16, "num_key_value_heads": 2,
           "head_dim": 256, "max_position_embeddings": 262144, "partial_rotary_factor": 0.25,
           "default_theta": 10000000, "reads_partial_rotary_factor": true, "reads_layer_types": "always"})"},
      {"gigachat3_5",
       R"({"hidden_size": 7168, "num_hidden_layers": 40, "num_attention_heads": 64, "num_key_value_heads": 64,
           "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128,
           "max_position_embeddings": 131072, "default_theta": 100000})"}};
  return all;
}

// Of files that state all that counts.
const std::string& formats_defaults() {
  static const std::string all = R"({"reads_partial_rotary_factor": true, "reads_layer_types": "always"})";
  return all;
}

JsonConfig with_defaults(const JsonConfig& config, const std::string& type) {
  for (const auto* table : {&config_defaults(), &newer_defaults()}) {
    const auto found = table->find(type);
    if (found != table->end()) return config.with_defaults(found->second);
  }
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

bool is_newer(const std::string& type) { return newer_defaults().contains(type); }

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
    const bool goes_on = std::ranges::any_of(kTextParts, [&](const char* part) { return inner.has(part); });
    if (inner.has("model_type") || goes_on) return text_decoder(inner);
    const std::string type = renamed(config.text("model_type"));
    return {with_defaults(inner, type), type};
  }
  if (!config.has("model_type") && config.has("tokenizer_class"))
    throw theory::SpecError(config.source() + ": of a tokenizer; expected the config.json of a model");
  const std::string type = renamed(config.text("model_type"));
  return {with_defaults(config, type), type};
}

const Family& family_of(const std::string& type, const JsonConfig& whole, void (*read)(const JsonConfig&)) {
  if (const Family* known = known_family(type)) return *known;
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
