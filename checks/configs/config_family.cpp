#include "checks/configs/config_family.h"

#include <algorithm>

#include "theory/expression/expr_parse.h"
#include "theory/expression/spec_error.h"

namespace gpe::checks {

namespace {

constexpr std::int64_t kMostLayers = 1024;

// As transformers 5.23 reads them: configuration_*.py and modeling_*.py of each.
const std::vector<Family>& families() {
  using enum Windows;
  static const std::vector<Family> all = {
      {.type = "bloom", .position = Position::alibi},
      {.type = "codegen", .interleaved = true},
      {.type = "cohere", .base = "500000", .interleaved = true},
      {.type = "cohere2",
       .windows = pattern,
       .unturned = Unturned::without_window,
       .window = 4096,
       .every = 4,
       .interleaved = true},
      {.type = "deepseek_v3", .interleaved = true, .latent = true},
      {.type = "exaone4",
       .windows = pattern,
       .unturned = Unturned::without_window,
       .window = 4096,
       .every = 4},
      {.type = "falcon", .position = Position::alibi_by_option},
      {.type = "gemma", .head_dim = 256},
      {.type = "gemma2",
       .windows = pattern,
       .window = 4096,
       .every = 2,
       .head_dim = 256,
       .query_scalar = 256,
       .softcap = 50},
      {.type = "gemma3_text",
       .windows = pattern,
       .base = "1000000",
       .local_base = "10000",
       .window = 4096,
       .every = 6,
       .head_dim = 256,
       .query_scalar = 256,
       .rope_by_layer = true},
      {.type = "glm", .fraction = "1/2", .head_dim = 128, .interleaved = true},
      {.type = "glm4", .fraction = "1/2", .head_dim = 128, .interleaved = true},
      {.type = "gpt_neox", .fraction = "1/4"},
      {.type = "gpt_oss",
       .windows = pattern,
       .base = "150000",
       .window = 128,
       .every = 2,
       .head_dim = 64,
       .sink = true},
      {.type = "gptj", .interleaved = true},
      {.type = "granite", .multiplier = true},
      {.type = "llama"},
      {.type = "llama4_text",
       .unturned = Unturned::listed,
       .base = "500000",
       .head_dim = 128,
       .interleaved = true},
      {.type = "ministral3",
       .windows = every,
       .base = "1000000",
       .head_dim = 128,
       .length_temperature = true},
      {.type = "mistral", .windows = every, .window = 4096},
      {.type = "mixtral", .windows = every, .base = "1000000"},
      {.type = "mpt", .position = Position::alibi_mpt},
      {.type = "mt5", .position = Position::buckets},
      {.type = "nemotron", .fraction = "1/2"},
      {.type = "olmo"},
      {.type = "olmo2"},
      {.type = "olmo3",
       .windows = pattern,
       .base = "500000",
       .window = 4096,
       .every = 4,
       .rope_by_layer = true},
      {.type = "phi", .fraction = "1/2"},
      {.type = "phi3", .windows = every},
      {.type = "qwen2", .windows = late, .window = 4096},
      {.type = "qwen3", .windows = late, .window = 4096, .head_dim = 128},
      {.type = "qwen3_moe", .windows = if_used, .window = 4096},
      {.type = "smollm3", .windows = unturned, .unturned = Unturned::listed, .base = "2000000"},
      {.type = "stablelm", .fraction = "1/4"},
      {.type = "starcoder2", .windows = every},
      {.type = "t5", .position = Position::buckets},
      {.type = "umt5", .position = Position::buckets},
  };
  return all;
}

// Known, and no function of a distance.
const std::vector<std::pair<std::string, std::string>>& not_of_distance() {
  static const char* const learned = "learned absolute positions";
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"bert", learned},
      {"biogpt", learned},
      {"deberta-v2", "products of content and position"},
      {"distilbert", learned},
      {"electra", learned},
      {"gpt2", learned},
      {"gpt_bigcode", learned},
      {"gpt_neo", learned},
      {"mamba", "no attention"},
      {"openai-gpt", learned},
      {"opt", learned},
      {"qwen2_vl", "positions in three dimensions"},
      {"roberta", learned},
      {"xglm", "sinusoidal positions with projections"},
      {"xlnet", "products of content and position"},
  };
  return all;
}

std::string shown_names() {
  std::string result;
  for (const Family& family : families()) result += (result.empty() ? "" : ", ") + family.type;
  return result;
}

std::int64_t layer_count(const JsonConfig& config) {
  for (const char* key : {"n_layer", "n_layers", "num_layers"}) {
    if (config.has(key)) return config.integer(key, 1, kMostLayers);
  }
  return config.integer("num_hidden_layers", 1, kMostLayers);
}

// layer_types, by layer: whether it has a window.
std::vector<bool> stated_windows(const JsonConfig& config, std::size_t layers) {
  std::vector<bool> result;
  for (const std::string& type : config.texts("layer_types", layers)) {
    if (type != "full_attention" && type != "sliding_attention") {
      throw theory::SpecError(config.source() + ": key 'layer_types' has '" + type +
                              "', which is no function of a distance; expected full_attention or "
                              "sliding_attention");
    }
    result.push_back(type == "sliding_attention");
  }
  return result;
}

bool window_is_used(const JsonConfig& config) {
  return config.has("use_sliding_window") && config.flag("use_sliding_window");
}

std::vector<bool> windows_by_layer(const JsonConfig& config, const Family& family,
                                   const std::vector<bool>& turned) {
  const std::size_t layers = turned.size();
  const bool window = window_of(config, family) != 0;
  std::vector<bool> result(layers, false);
  switch (family.windows) {
    case Windows::none:
      return result;
    case Windows::every:
      return std::vector<bool>(layers, window);
    case Windows::if_used:
      return std::vector<bool>(layers, window && window_is_used(config));
    case Windows::late:
      if (config.has("layer_types")) return stated_windows(config, layers);
      if (window && window_is_used(config)) {
        const auto from = config.has("max_window_layers")
                              ? config.integer("max_window_layers", 0, kMostLayers)
                              : std::int64_t{28};
        for (std::size_t i = static_cast<std::size_t>(from); i < layers; ++i) result[i] = true;
      }
      return result;
    case Windows::unturned:
      if (!window || !window_is_used(config)) return result;
      if (config.has("layer_types")) return stated_windows(config, layers);
      for (std::size_t i = 0; i < layers; ++i) result[i] = !turned[i];
      return result;
    case Windows::pattern:
      if (config.has("layer_types")) return stated_windows(config, layers);
      if (!window) return result;
      const auto every = static_cast<std::size_t>(
          config.has("sliding_window_pattern") ? config.integer("sliding_window_pattern", 1, kMostLayers)
                                               : family.every);
      for (std::size_t i = 0; i < layers; ++i) result[i] = (i + 1) % every != 0;
      return result;
  }
  return result;
}

std::vector<bool> listed_turns(const JsonConfig& config, std::size_t layers) {
  std::vector<bool> result;
  if (config.has("no_rope_layers") && !config.integers("no_rope_layers", 0).empty()) {
    const std::vector<std::int64_t> stated = config.integers("no_rope_layers", layers);
    for (std::size_t i = 0; i < layers; ++i) result.push_back(stated[i] != 0);  // 1 is a layer that turns
    return result;
  }
  const auto interval = static_cast<std::size_t>(
      config.has("no_rope_layer_interval") ? config.integer("no_rope_layer_interval", 1, kMostLayers) : 4);
  for (std::size_t i = 0; i < layers; ++i) result.push_back((i + 1) % interval != 0);
  return result;
}

}  // namespace

const Family& family_of(const JsonConfig& config) {
  const std::string type = config.text("model_type");
  const auto found = std::ranges::find(families(), type, &Family::type);
  if (found != families().end()) return *found;
  const std::string where = config.source() + ": key 'model_type' is \"" + type + "\"";
  for (const auto& [known, why] : not_of_distance()) {
    if (known == type)
      throw theory::SpecError(where + ", a model with " + why +
                              "; expected one whose scores are a function of the distance: " + shown_names());
  }
  std::vector<std::string> names;
  for (const Family& family : families()) names.push_back(family.type);
  const std::string nearest = theory::nearest_name(type, names);
  throw theory::SpecError(where + ", which is not known here" +
                          (nearest.empty() ? "" : "; did you mean '" + nearest + "'?") +
                          "; expected one of " + shown_names());
}

std::int64_t window_of(const JsonConfig& config, const Family& family) {
  if (config.has("sliding_window")) return config.integer("sliding_window", 1, std::int64_t{1} << 40);
  return config.is_null("sliding_window") ? 0 : family.window;
}

std::vector<LayerKind> layer_kinds(const JsonConfig& config, const Family& family) {
  const auto layers = static_cast<std::size_t>(layer_count(config));
  if (family.type == "llama4_text" && config.has("attention_chunk_size")) {
    config.fail("attention_chunk_size", "null: what a layer with chunks sees is no function of a distance");
  }
  std::vector<bool> turned(layers, true);
  if (family.unturned == Unturned::listed) turned = listed_turns(config, layers);
  const std::vector<bool> windowed = windows_by_layer(config, family, turned);
  std::vector<LayerKind> result;
  for (std::size_t i = 0; i < layers; ++i) {
    const bool turns = family.unturned == Unturned::without_window
                           ? windowed[i] || window_of(config, family) == 0
                           : turned[i];
    result.push_back({windowed[i], turns});
    if (windowed[i] && window_of(config, family) == 0)
      config.fail("sliding_window", "the number of keys of the layers with sliding_attention");
  }
  return result;
}

}  // namespace gpe::checks
