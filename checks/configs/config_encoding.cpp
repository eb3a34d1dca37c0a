#include "checks/configs/config_encoding.h"

#include <algorithm>

#include "checks/configs/config_bias.h"
#include "checks/configs/config_rope.h"
#include "checks/configs/encoding_library.h"
#include "checks/report/json_number.h"
#include "theory/expression/spec_error.h"
#include "theory/score/spec_parse.h"

namespace gpe::checks {

namespace fs = std::filesystem;
using theory::Rational;

namespace {

constexpr const char* kConfigFile = "config.json";

std::string first_key(const JsonConfig& config, const std::vector<std::string>& names) {
  const auto found = std::ranges::find_if(names, [&](const std::string& name) { return config.has(name); });
  return found == names.end() ? names.front() : *found;
}

struct Sizes {
  int heads;
  int key_heads;
  int head_dim;
};

int head_dim_of(const JsonConfig& config, const Family& family, int heads) {
  constexpr int most = 4096;
  if (family.latent) {
    return static_cast<int>(config.integer("qk_nope_head_dim", 1, most) +
                            config.integer("qk_rope_head_dim", 2, most));
  }
  const std::string stated = first_key(config, {"head_dim", "d_kv"});
  if (config.has(stated)) return static_cast<int>(config.integer(stated, 2, most));
  if (family.head_dim != 0 && !config.is_null("head_dim")) return family.head_dim;
  const std::string width = first_key(config, {"hidden_size", "n_embd", "d_model", "n_embed"});
  return static_cast<int>(config.integer(width, 2, 1 << 20)) / heads;
}

Sizes sizes_of(const JsonConfig& config, const Family& family) {
  const auto count = [&](const std::string& key) { return static_cast<int>(config.integer(key, 1, 1024)); };
  Sizes sizes{};
  sizes.heads = count(first_key(config, {"num_attention_heads", "n_head", "n_heads", "num_heads"}));
  const std::string shared = first_key(config, {"num_key_value_heads", "num_kv_heads"});
  sizes.key_heads = config.has(shared) ? count(shared) : sizes.heads;
  sizes.head_dim = head_dim_of(config, family, sizes.heads);
  if (sizes.head_dim < 2 || sizes.head_dim % 2 != 0) {
    throw theory::SpecError(config.source() + ": heads of dimension " + std::to_string(sizes.head_dim) +
                            "; expected an even number from 2");
  }
  return sizes;
}

// The content is qᵀk/√d times these.
void add_scale(EncodingText& text, const JsonConfig& config, const Family& family, int head_dim) {
  const std::string d = std::to_string(head_dim);
  const auto add_multiplier = [&](const JsonConfig& object, const char* key) {
    const Rational value = object.exact(key, 1e-9, 1e9);
    if (value * value * Rational(head_dim) == Rational(1)) return;
    text.parameter("multiplier", value, "multiplier > 0", "of the content, in place of 1/sqrt(d)");
    text.gains.push_back("multiplier*sqrt(" + d + ")");
  };
  if (family.query_scalar != 0) {
    const char* key = "query_pre_attn_scalar";
    const Rational scalar = config.has(key) ? config.exact(key, 1e-6, 1e9) : Rational(family.query_scalar);
    if (scalar == Rational(head_dim)) return;
    text.parameter("query_scalar", scalar, "query_scalar > 0", "in place of d");
    text.gains.push_back("sqrt(" + d + "/query_scalar)");
  } else if (family.multiplier) {
    const char* key = "attention_multiplier";
    if (config.has(key)) {
      add_multiplier(config, key);
    } else {
      text.gains.push_back("sqrt(" + d + ")");
    }
  } else if (family.position == Position::buckets) {
    text.gains.push_back("sqrt(" + d + ")");
  } else if (config.is_object("attn_config") && config.object("attn_config").has("softmax_scale")) {
    add_multiplier(config.object("attn_config"), "softmax_scale");
  }
}

void add_softcap(EncodingText& text, const JsonConfig& config, const Family& family) {
  const char* key = "attn_logit_softcapping";
  if (family.softcap == 0 || config.is_null(key)) return;
  const Rational cap = config.has(key) ? config.exact(key, 1e-6, 1e9) : Rational(family.softcap);
  text.parameter("cap", cap, "cap > 0", "soft cap of the content: cap*tanh(c/cap)");
  text.softcap = "cap";
}

// Llama 4's temperature of layers that do not turn.
void add_unturned_temperature(EncodingText& text, const JsonConfig& config, const Family& family) {
  if (family.type != "llama4_text") return;
  const char* key = "attn_temperature_tuning";
  if (config.has(key) && !config.flag(key)) return;
  text.parameter("attn_scale",
                 config.has("attn_scale") ? config.exact("attn_scale", 0, 1e6) : Rational(1, 10),
                 "attn_scale >= 0", "strength of the temperature by length");
  text.parameter("floor_scale",
                 config.has("floor_scale") ? config.exact("floor_scale", 1, 1e12) : Rational(8192),
                 "floor_scale >= 1", "tokens after which it changes");
  text.gains.push_back("(1 + attn_scale*log(floor((L + 1)/floor_scale) + 1))");
}

EncodingText encoding_of(const JsonConfig& config, const Family& family, const LayerKind& kind,
                         const Sizes& sizes) {
  EncodingText text;
  switch (family.position) {
    case Position::rotary:
      if (kind.turned) add_rotation(text, config, family, kind, sizes.head_dim);
      break;
    case Position::alibi_by_option:
      if (!config.has("alibi") || !config.flag("alibi")) {
        add_rotation(text, config, family, kind, sizes.head_dim);
        break;
      }
      [[fallthrough]];
    case Position::alibi:
    case Position::alibi_mpt:
      add_alibi(text, config, family, sizes.heads, sizes.head_dim);
      break;
    case Position::buckets:
      add_buckets(text, config);
      break;
  }
  add_scale(text, config, family, sizes.head_dim);
  add_softcap(text, config, family);
  if (!kind.turned) add_unturned_temperature(text, config, family);
  if (kind.windowed) {
    text.parameter("W", window_of(config, family), "W >= 1", "keys in the window, the query's own included");
    text.window = "W";
  }
  if (family.sink) {
    text.parameters.push_back({"s", {"0"}, "", "logit of the sink (learned; 0 stands for it)"});
    text.sink = "s";
  }
  return text;
}

// "1-3, 5-7"; of many ranges the first three and the last one.
std::string ranges_of(const std::vector<int>& layers) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t end = i;
    while (end + 1 < layers.size() && layers[end + 1] == layers[end] + 1) ++end;
    ranges.push_back(std::to_string(layers[i]) + (end > i ? "-" + std::to_string(layers[end]) : ""));
    i = end + 1;
  }
  constexpr std::size_t most = 6;
  if (ranges.size() > most) {
    ranges[3] = "...";
    ranges.erase(ranges.begin() + 4, ranges.end() - 1);
  }
  std::string result;
  for (const std::string& range : ranges) result += (result.empty() ? "" : ", ") + range;
  return result;
}

std::string kind_name(const LayerKind& kind, bool windows_differ) {
  if (windows_differ) return kind.windowed ? "sliding" : "full";
  return kind.turned ? "rope" : "nope";
}

std::string title_of(const Family& family, const ConfigEncoding& encoding) {
  std::string title = family.type;
  if (family.position == Position::buckets)
    title += ", decoder: buckets, with values 0 in place of the learned ones";
  if (encoding.layers.size() == static_cast<std::size_t>(encoding.all_layers)) {
    title += ", " + std::to_string(encoding.all_layers) + " layers";
  } else {
    title += ", layers " + ranges_of(encoding.layers) + " of " + std::to_string(encoding.all_layers);
  }
  title += "; " + std::to_string(encoding.heads) + " heads of dimension " + std::to_string(encoding.head_dim);
  if (encoding.key_heads != encoding.heads)
    title += ", " + std::to_string(encoding.key_heads) + " of keys and values";
  return title;
}

}  // namespace

theory::Encoding ConfigEncoding::parsed() const {
  return theory::parse_encoding(toml, name + ".toml", fs::current_path(), {});
}

std::vector<theory::Setting> ConfigEncoding::settings(int only_head) const {
  std::vector<theory::Setting> result;
  const int first = only_head != 0 ? only_head : 1;
  const int last = only_head != 0 ? only_head : by_head ? heads : 1;
  for (int head = first; head <= last; ++head)
    result.push_back({.head_dim = head_dim, .head = head, .heads = heads});
  return result;
}

bool is_config(const std::string& what) {
  if (fs::path(what).extension() == ".json") return true;
  std::error_code ignored;
  if (!fs::is_regular_file(fs::path(what) / kConfigFile, ignored)) return false;
  if (names_file(what)) return true;
  const std::vector<std::string> names = library_names();  // which no folder shadows
  return std::ranges::find(names, what) == names.end();
}

std::vector<ConfigEncoding> encodings_of_config(const fs::path& file_or_folder) {
  std::error_code ignored;
  const bool folder = fs::is_directory(file_or_folder, ignored);
  return encodings_of_config(JsonConfig(folder ? file_or_folder / kConfigFile : file_or_folder));
}

std::vector<ConfigEncoding> encodings_of_config(const JsonConfig& config) {
  if (config.is_object("text_config")) return encodings_of_config(config.object("text_config"));
  const Family& family = family_of(config);
  if (config.has("use_bidirectional_attention") && config.flag("use_bidirectional_attention"))
    config.fail("use_bidirectional_attention", "false: causal attention");
  const Sizes sizes = sizes_of(config, family);
  const std::vector<LayerKind> layers = layer_kinds(config, family);
  std::vector<LayerKind> kinds;
  for (const LayerKind& layer : layers) {
    if (std::ranges::find(kinds, layer) == kinds.end()) kinds.push_back(layer);
  }
  const bool windows_differ = std::ranges::any_of(
      kinds, [&](const LayerKind& kind) { return kind.windowed != kinds.front().windowed; });
  std::vector<ConfigEncoding> result;
  for (const LayerKind& kind : kinds) {
    EncodingText text = encoding_of(config, family, kind, sizes);
    ConfigEncoding one;
    one.name = family.type + (kinds.size() > 1 ? "-" + kind_name(kind, windows_differ) : "");
    if (std::ranges::find(result, one.name, &ConfigEncoding::name) != result.end()) one.name += "-nope";
    one.all_layers = static_cast<int>(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (layers[i] == kind) one.layers.push_back(static_cast<int>(i) + 1);
    }
    one.heads = sizes.heads;
    one.key_heads = sizes.key_heads;
    one.head_dim = sizes.head_dim;
    one.by_head = std::ranges::any_of(text.parameters, [](const EncodingText::Parameter& parameter) {
      return parameter.values.size() > 1;
    });
    text.name = one.name;
    text.title = title_of(family, one);
    text.reference =
        "config.json with model_type " + family.type + ", as Hugging Face transformers 5.23 reads it";
    one.toml = text.toml();
    result.push_back(std::move(one));
  }
  return result;
}

std::string config_encodings_json(const std::vector<ConfigEncoding>& encodings) {
  Json json{{"schema", 1}, {"encodings", Json::array()}};
  for (const ConfigEncoding& one : encodings) {
    json["encodings"].push_back(Json{{"name", one.name},
                                     {"layers", one.layers},
                                     {"all_layers", one.all_layers},
                                     {"heads", one.heads},
                                     {"key_heads", one.key_heads},
                                     {"head_dim", one.head_dim},
                                     {"toml", one.toml}});
  }
  return json_text(json);
}

std::string config_encodings_text(const std::vector<ConfigEncoding>& encodings) {
  std::string text;
  for (const ConfigEncoding& one : encodings) {
    text += (text.empty() ? "# " : "\n# ") + one.name + ".toml; use it with --head-dim " +
            std::to_string(one.head_dim) + (one.by_head ? " --heads " + std::to_string(one.heads) : "") +
            "\n" + one.toml;
  }
  return text;
}

}  // namespace gpe::checks
