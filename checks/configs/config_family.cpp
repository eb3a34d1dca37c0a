#include "checks/configs/config_family.h"
// Tests: tests/checks/decoders_test.py
#include <algorithm>

#include "theory/source/spec_error.h"

namespace gpe::checks {

namespace {

constexpr std::int64_t kMaxLayers = 1024;
constexpr int kMaxDim = 4096;
constexpr const char* kPerLayer = "per_layer_config";

std::int64_t layer_count(const JsonConfig& config, const ModelFamily& family) {
  const char* pattern = "hybrid_override_pattern";
  if (family.type == "nemotron_h" && config.has(pattern)) {
    const auto layers = static_cast<std::int64_t>(config.text(pattern).size());
    if (layers < 1 || layers > kMaxLayers) config.fail(pattern, "from 1 to 1024 letters");
    return layers;
  }
  if (family.type == "nemotron_h" && !config.has("layers_block_type") && !config.has("layer_types")) return 4;
  if (family.type == "udop" && config.states("num_decoder_layers"))
    return config.integer("num_decoder_layers", 1, kMaxLayers);
  const std::string key = first_key(config, {"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
  const std::int64_t layers = config.integer(key, 1, kMaxLayers);
  if (family.type == "longcat_flash" && key == "num_layers") return 2 * layers;
  if (family.type != "hrm_text" || config.has("num_layers_per_stack")) return layers;
  const std::int64_t times = config.integer("H_cycles", 1, 64) * (config.integer("L_cycles", 1, 64) + 1);
  if (times * layers > 4 * kMaxLayers) config.fail("H_cycles", "at most 4096 layers in all");
  return times * layers;
}

// As transformers renames them; empty for a layer that has no softmax over tokens.
std::string layer_type(const JsonConfig& config, const ModelFamily& family, const std::string& stated) {
  static const std::vector<std::string> without = {
      "linear_attention",      "mamba", "conv", "moe", "mlp", "recurrent", "recursive", "cross_attention",
      "agnes_linear_attention"};
  static const std::vector<std::string> full = {"full_attention", "attention", "hybrid",
                                                "agnes_global_attention"};
  if (std::ranges::find(without, stated) != without.end()) return "";
  if (std::ranges::find(full, stated) != full.end()) return family.type == "zaya" ? stated : "full_attention";
  const char* windowed = family.type == "llama4_text" ? "chunked_attention" : "sliding_attention";
  if (stated == windowed) return stated;
  if (stated == "hybrid_sliding" && family.type == "zaya") return stated;
  if (stated == "deepseek_sparse_attention" || stated == "qwen_sparse_attention" ||
      stated == "indexed_attention" || stated == "minimax_m3_sparse")
    return "indexed_attention";
  if (stated == "reference_sliding_attention" && family.type == "unlimited_ocr_text") return stated;
  const bool has_code = stated != "sliding_attention" && stated != "chunked_attention";
  throw theory::SpecError(config.source() + ": key 'layer_types' has '" + stated + "', which " +
                          (has_code ? "is not known here" : "the code of " + family.type + " does not have") +
                          "; expected full_attention or " + windowed);
}

bool is_used(const JsonConfig& config) {
  return config.has("use_sliding_window") && config.flag("use_sliding_window");
}

// Whether the class has no window, whatever its layers are called.
bool drops_windows(const JsonConfig& config) {
  return config.has("drops_sliding_window") && !is_used(config);
}

// One type for each layer, as the family's configuration fills them in.
std::vector<std::string> layer_types(const JsonConfig& config, const ModelFamily& family,
                                     const std::vector<bool>& turned) {
  const std::size_t layers = turned.size();
  const bool window = window_of(config, family) != 0;
  std::vector<std::string> result(layers, "full_attention");
  const auto slide = [&](std::size_t i, bool yes) {
    result[i] = yes ? "sliding_attention" : "full_attention";
  };
  const std::string key = first_key(config, {"layer_types", "layers_block_type"});
  if (family.windows != Windows::none && family.windows != Windows::every &&
      family.windows != Windows::if_used && config.has(key)) {
    if (family.windows == Windows::unturned && !(window && is_used(config))) return result;
    result.clear();
    for (const std::string& type : config.texts(key, layers)) {
      result.push_back(layer_type(config, family, type));
      if (result.back().empty() && family.rule == nullptr && family.type != "lfm2_moe")
        throw theory::SpecError(config.source() + ": key '" + key + "' has '" + type +
                                "', which is not a function of a distance; expected full_attention or "
                                "sliding_attention");
    }
    if (family.type.starts_with("gemma4")) result.back() = "full_attention";  // whatever the list says
    return result;
  }
  for (std::size_t i = 0; i < layers; ++i) {
    switch (family.windows) {
      case Windows::none:
        break;
      case Windows::every:
        slide(i, window);
        break;
      case Windows::if_used:
        slide(i, window && is_used(config));
        break;
      case Windows::late: {
        const auto from = config.has("max_window_layers") ? config.integer("max_window_layers", 0, kMaxLayers)
                                                          : std::int64_t{28};
        slide(i, window && is_used(config) && static_cast<std::int64_t>(i) >= from);
        break;
      }
      case Windows::unturned:
        slide(i, window && is_used(config) && !turned[i]);
        break;
      case Windows::listed:
        if (family.rule != nullptr)
          result[i] = layer_type(
              config, family,
              family.rule(static_cast<std::int64_t>(i), static_cast<std::int64_t>(layers), config));
        else if (family.type == "llama4_text" && window && turned[i])
          result[i] = "chunked_attention";
        else if (family.type == "zaya")
          result[i] = "hybrid";
        else if (family.type == "unlimited_ocr_text" && window)
          result[i] = "reference_sliding_attention";
        break;
    }
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
      config.has("no_rope_layer_interval") ? config.integer("no_rope_layer_interval", 1, kMaxLayers) : 4);
  for (std::size_t i = 0; i < layers; ++i) result.push_back((i + 1) % interval != 0);
  return result;
}

// The rotation of this type of layers is null.
bool null_rotation(const JsonConfig& config, const ModelFamily& family, const std::string& type) {
  const auto dict = rope_dict(config, family);
  return dict && dict->is_null(type);
}

// The last layer, and every fourth one before it.
bool fourth_from_last(std::size_t i, std::size_t layers) { return (layers - 1 - i) % 4 == 0; }

bool turns(const JsonConfig& config, const ModelFamily& family, const LayerKind& kind, std::size_t i,
           const std::vector<bool>& listed) {
  if (family.rope == RopeHome::nested && null_rotation(config, family, kind.type)) return false;
  switch (family.unturned) {
    case Unturned::none:
      return true;
    case Unturned::all:
      return false;
    case Unturned::full: {
      if (family.type == "maple" && !config.flag("nope_on_global_attention")) return true;
      const bool prefix =
          family.type == "cohere2_moe" && config.has("first_k_dense_replace") &&
          static_cast<std::int64_t>(i) < config.integer("first_k_dense_replace", 0, kMaxLayers) &&
          config.integer("prefix_dense_sliding_window_pattern", 1, kMaxLayers) == 1;
      return kind.windowed || prefix;
    }
    case Unturned::without_window:
      return kind.windowed || window_of(config, family) == 0;
    case Unturned::listed:
      return listed[i];
    case Unturned::by_base:
      if (config.has("layer_rope_theta")) return kind.base != "0";
      return family.type.starts_with("granite") || !fourth_from_last(i, listed.size());
    case Unturned::unless_asked:
      if (family.type == "zamba2") return config.has("use_mem_rope") && config.flag("use_mem_rope");
      return config.has("position_embedding_type") && config.text("position_embedding_type") == "rope";
  }
  return true;
}

// Heads and their sizes.
void set_sizes(LayerKind& kind, const JsonConfig& config, const ModelFamily& family) {
  const auto count = [&](const std::string& key) { return static_cast<int>(config.integer(key, 1, 1024)); };
  const std::string shared = first_key(config, {"num_key_value_heads", "num_kv_heads"});
  if (family.type == "jetmoe") {
    kind.key_heads = count("num_key_value_heads");
    kind.heads = kind.key_heads * count("num_experts_per_tok");
  } else {
    kind.heads = count(first_key(config, {"num_attention_heads", "n_head", "n_heads", "num_heads"}));
    kind.key_heads = config.has(shared) ? count(shared) : kind.heads;
  }
  if (family.type == "dbrx" && config.is_object("attn_config") &&
      config.object("attn_config").has("kv_n_heads"))
    kind.key_heads = static_cast<int>(config.object("attn_config").integer("kv_n_heads", 1, 1024));
  if (family.type == "falcon") {
    const auto asked = [&](const char* key, bool by_default) {
      return config.has(key) ? config.flag(key) : by_default;
    };
    if (!asked("new_decoder_architecture", false) && asked("multi_query", true)) kind.key_heads = 1;
  }
  if (family.latent) {  // the latent gives every head keys of its own
    kind.key_heads = kind.heads;
    kind.rotary_dim = static_cast<int>(config.integer("qk_rope_head_dim", 0, kMaxDim));
    kind.head_dim = kind.rotary_dim + static_cast<int>(config.integer("qk_nope_head_dim", 0, kMaxDim));
    return;
  }
  const bool zamba = family.type.starts_with("zamba");  // kv_channels are not those of its attention
  const std::string stated =
      zamba ? "attention_head_dim" : first_key(config, {"head_dim", "d_kv", "kv_channels"});
  const bool fixed = family.type == "cohere2" || family.type == "modernbert-decoder" ||
                     family.type == "deepseek_ocr2_text" || family.type == "unlimited_ocr_text" ||
                     family.type == "zamba2";
  if (config.has(stated) && !fixed) {
    kind.head_dim = static_cast<int>(config.integer(stated, 2, kMaxDim));
    return;
  }
  const std::string width = first_key(config, {"hidden_size", "n_embd", "d_model", "n_embed"});
  kind.head_dim = static_cast<int>(config.integer(width, 2, 1 << 20)) / kind.heads;
  if (zamba) kind.head_dim = static_cast<int>(2 * config.integer(width, 2, 1 << 20)) / kind.heads;
}

// transformers saves them with leading zeros.
bool is_number(const std::string& text, std::size_t number) {
  const std::size_t digits = std::min(text.find_first_not_of('0'), text.size() - 1);
  return text.substr(digits) == std::to_string(number);
}

// What differs from the model's sizes in one layer.
void set_own_sizes(LayerKind& kind, const JsonConfig& config, const ModelFamily& family, std::size_t i) {
  const auto number = [](const JsonConfig& object, const char* key, int by_default) {
    return object.has(key) ? static_cast<int>(object.integer(key, 1, kMaxDim)) : by_default;
  };
  const bool sliding = kind.type == "sliding_attention";
  if (config.is_object(kPerLayer)) {
    const JsonConfig layers = config.object(kPerLayer);
    const auto is_own = [&](const std::string& index) {
      return is_number(index, i) && layers.is_object(index);
    };
    const std::vector<std::string> indices = layers.keys();
    const auto found = std::ranges::find_if(indices, is_own);
    if (found == indices.end()) return;
    const JsonConfig own = layers.object(*found);
    kind.heads = number(own, "num_attention_heads", kind.heads);
    kind.key_heads = number(own, "num_key_value_heads", kind.key_heads);
    if (family.latent) {
      const int stays = number(own, "qk_nope_head_dim", kind.head_dim - kind.rotary_dim);
      kind.rotary_dim = number(own, "qk_rope_head_dim", kind.rotary_dim);
      kind.head_dim = stays + kind.rotary_dim;
      kind.key_heads = kind.heads;
    } else {
      kind.head_dim = number(own, "head_dim", kind.head_dim);
    }
  } else if (family.type.starts_with("gemma4") && !sliding) {
    kind.head_dim = number(config, "global_head_dim", 512);
    if (config.has("attention_k_eq_v") && config.flag("attention_k_eq_v"))
      kind.key_heads = number(config, "num_global_key_value_heads", kind.key_heads);
  } else if (family.type == "mimo_v2_flash" && sliding) {
    kind.key_heads *= 2;
  } else if (family.type == "laguna" && config.has("num_attention_heads_per_layer")) {
    const std::vector<std::int64_t> heads = config.integers("num_attention_heads_per_layer", i + 1);
    if (heads[i] < 1 || heads[i] > 1024)
      config.fail("num_attention_heads_per_layer", "numbers from 1 to 1024");
    kind.heads = static_cast<int>(heads[i]);
  } else if (family.type == "step3p5" && sliding) {
    if (config.has("num_sliding_attention_heads"))
      kind.heads = number(config, "num_sliding_attention_heads", kind.heads);
    else if (config.is_object("attention_other_setting"))
      kind.heads = number(config.object("attention_other_setting"), "num_attention_heads", kind.heads);
  } else if (family.type == "dots3_note_text" && sliding) {
    kind.heads = number(config, "swa_num_attention_heads", 64);
    kind.key_heads = kind.heads;
    const int stays = number(config, "swa_qk_nope_head_dim", 192);
    kind.rotary_dim = number(config, "swa_qk_rope_head_dim", number(config, "swa_head_dim", 256) - stays);
    kind.head_dim = stays + kind.rotary_dim;
  }
}

std::string theta_of_layer(const JsonConfig& config, std::size_t i) {
  const std::vector<theory::Rational> values = config.exact_list("layer_rope_theta", 0, 1e12);
  if (values.size() <= i) config.fail("layer_rope_theta", "a number for each layer");
  return values[i].str();
}

// Step 3.5 may list rope_theta and partial_rotary_factors by layer; those of the first layer of a type count.
void set_listed_rotation(LayerKind& kind, const JsonConfig& config, const std::vector<std::string>& types) {
  const auto first = static_cast<std::size_t>(std::ranges::find(types, kind.type) - types.begin());
  if (config.has("rope_parameters") && config.object("rope_parameters").is_object(kind.type)) return;
  const auto at = [&](const char* key, double low, double high) {
    const std::vector<theory::Rational> values = config.exact_list(key, low, high);
    if (values.size() <= first) config.fail(key, "a number for each layer");
    return values[first].str();
  };
  if (config.is_list("rope_theta")) kind.base = at("rope_theta", 1e-6, 1e12);
  if (config.is_list("partial_rotary_factors")) kind.fraction = at("partial_rotary_factors", 0, 1);
}

}  // namespace

// The dict of the model: rope_scaling, unless it is empty, or rope_parameters.
std::optional<JsonConfig> rope_dict(const JsonConfig& config, const ModelFamily& family) {
  const bool own = family.type == "cohere2_moe";  // its class has a field of that name, and reads it nowhere
  if (!own && config.has("rope_scaling") && !config.object("rope_scaling").keys().empty())
    return config.object("rope_scaling");
  return config.stated_or_default("rope_parameters");
}

std::string first_key(const JsonConfig& config, const std::vector<std::string>& names) {
  auto found = std::ranges::find_if(names, [&](const std::string& name) { return config.states(name); });
  if (found == names.end())
    found = std::ranges::find_if(names, [&](const std::string& name) { return config.has(name); });
  return found == names.end() ? names.front() : *found;
}

std::int64_t window_of(const JsonConfig& config, const ModelFamily& family) {
  constexpr std::int64_t most = std::int64_t{1} << 40;
  if (drops_windows(config)) return 0;
  if (family.type == "modernbert-decoder") return config.integer("local_attention", 2, most) / 2;
  if (family.type == "mimo_v2_flash" && config.states("sliding_window_size"))
    return config.integer("sliding_window_size", 1, most) + 1;
  if (family.type == "dots3_note_text" && !config.has("sliding_window"))
    return config.has("sliding_window_size") ? config.integer("sliding_window_size", 1, most) : 512;
  const std::string key = family.type == "llama4_text"
                              ? "attention_chunk_size"
                              : first_key(config, {"sliding_window", "attention_window_size"});
  return config.has(key) ? config.integer(key, 1, most) : 0;
}

std::vector<LayerKind> layer_kinds(const JsonConfig& config, const ModelFamily& family) {
  const auto layers = static_cast<std::size_t>(layer_count(config, family));
  std::vector<bool> turned(layers, true);
  if (family.unturned == Unturned::listed) turned = listed_turns(config, layers);
  const std::vector<std::string> types = layer_types(config, family, turned);
  std::vector<LayerKind> result;
  for (std::size_t i = 0; i < layers; ++i) {
    LayerKind kind{.type = types[i]};
    if (kind.type.empty()) {
      result.push_back(kind);
      continue;
    }
    kind.windowed =
        kind.type == "sliding_attention" || kind.type == "hybrid_sliding" || kind.type == "chunked_attention";
    if (drops_windows(config)) kind.windowed = false;
    if (kind.windowed && window_of(config, family) == 0)
      config.fail("sliding_window", "the number of keys of the layers with sliding_attention");
    if (family.unturned == Unturned::by_base && config.has("layer_rope_theta"))
      kind.base = theta_of_layer(config, i);
    if (family.type == "step3p5") set_listed_rotation(kind, config, types);
    kind.turned = turns(config, family, kind, i, turned);
    set_sizes(kind, config, family);
    set_own_sizes(kind, config, family, i);
    if (kind.head_dim < 2 || kind.head_dim % 2 != 0) {
      throw theory::SpecError(config.source() + ": heads of dimension " + std::to_string(kind.head_dim) +
                              "; expected an even number from 2");
    }
    if (kind.key_heads < kind.heads && kind.heads % kind.key_heads != 0) {
      throw theory::SpecError(config.source() + ": " + std::to_string(kind.heads) +
                              " heads of queries share " + std::to_string(kind.key_heads) +
                              " of keys; expected a divisor");
    }
    result.push_back(std::move(kind));
  }
  return result;
}

}  // namespace gpe::checks
