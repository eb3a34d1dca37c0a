#include "checks/configs/config_encoding.h"
// Tests: tests/checks/config_test.py, tests/fuzz/hugging_face_fuzz.cpp
#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/configs/config_bias.h"
#include "checks/configs/config_rope.h"
#include "checks/configs/config_type.h"
#include "checks/configs/encoding_library.h"
#include "checks/configs/other_formats.h"
#include "checks/report/json_number.h"
#include "theory/score/spec_parse.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace fs = std::filesystem;
using theory::Rational;

namespace {

// The content is qᵀk/√d times these.
void add_scale(EncodingText& text, const JsonConfig& config, const ModelFamily& family, int head_dim) {
  const std::string d = std::to_string(head_dim);
  const auto add_multiplier = [&](const JsonConfig& object, const char* key) {
    const Rational value = object.exact(key, 1e-9, 1e9);
    if (value * value * Rational(head_dim) == Rational(1)) return;
    text.parameter("multiplier", value, "multiplier > 0", "of the content, in place of 1/sqrt(d)");
    text.gains.push_back("multiplier*sqrt(" + d + ")");
  };
  const char* scalar_key = "query_pre_attn_scalar";
  if (config.has(scalar_key)) {
    const Rational scalar = config.exact(scalar_key, 1e-6, 1e9);
    if (scalar == Rational(head_dim)) return;
    text.parameter("query_scalar", scalar, "query_scalar > 0", "in place of d");
    text.gains.push_back("sqrt(" + d + "/query_scalar)");
  } else if (family.multiplier) {
    if (config.has("attention_multiplier")) add_multiplier(config, "attention_multiplier");
  } else if (family.position == Position::buckets || family.unscaled) {
    text.gains.push_back("sqrt(" + d + ")");
  } else if (family.type.starts_with("zamba")) {
    text.gains.push_back("sqrt(2)");
  } else if (config.is_object("attn_config") && config.object("attn_config").has("softmax_scale")) {
    add_multiplier(config.object("attn_config"), "softmax_scale");
  }
}

void add_softcap(EncodingText& text, const JsonConfig& config, const ModelFamily& family) {
  const char* key = "attn_logit_softcapping";
  if (!config.has(key) || (family.type != "gemma2" && family.type != "vaultgemma")) return;
  text.parameter("cap", config.exact(key, 1e-6, 1e9), "cap > 0", "soft cap of the content: cap*tanh(c/cap)");
  text.softcap = "cap";
}

// Temperatures of layers that do not turn, and learned ones.
void add_temperature(EncodingText& text, const JsonConfig& config, const ModelFamily& family, bool turned) {
  if (family.type == "mistral_large4_text") {
    text.parameter("scale", Rational(0), "", "of log(L + 1) in the temperature (learned; 0 stands for it)");
    text.parameter("offset", Rational(1), "", "of the temperature (learned; 1 stands for it)");
    text.gains.push_back("(scale*log(L + 1) + offset)");
  }
  if (turned) return;
  if (family.type == "beam") text.gains.push_back("(1 + (L + 1)/2048)^(1/10)");
  const char* key = "attn_temperature_tuning";
  if (family.type != "llama4_text" || (config.has(key) && !config.flag(key))) return;
  text.parameter("attn_scale", config.exact("attn_scale", 0, 1e6), "attn_scale >= 0",
                 "strength of the temperature by length");
  text.parameter("floor_scale", config.exact("floor_scale", 1, 1e12), "floor_scale >= 1",
                 "tokens after which it changes");
  text.gains.push_back("(1 + attn_scale*log(floor((L + 1)/floor_scale) + 1))");
}

EncodingText encoding_of(const JsonConfig& config, const ModelFamily& family, const LayerKind& kind) {
  EncodingText text;
  switch (family.position) {
    case Position::rotary:
      if (kind.turned) add_rotation(text, config, family, kind);
      break;
    case Position::alibi_by_option:
      if (!config.has("alibi") || !config.flag("alibi")) {
        add_rotation(text, config, family, kind);
        break;
      }
      [[fallthrough]];
    case Position::alibi:
    case Position::alibi_mpt:
      add_alibi(text, config, family, kind.heads, kind.head_dim);
      break;
    case Position::buckets:
      add_buckets(text, config);
      break;
  }
  add_scale(text, config, family, kind.head_dim);
  add_softcap(text, config, family);
  add_temperature(text, config, family, kind.turned);
  if (kind.windowed) {
    const char* doc = kind.type == "chunked_attention"
                          ? "keys in a chunk: its last query sees so many, others those before them in it"
                          : "keys in the window, the query's own included";
    text.parameter("W", window_of(config, family), "W >= 1", doc);
    text.window = "W";
  }
  if (family.sink && (kind.windowed || family.type != "mimo_v2_flash")) {
    text.parameters.push_back({"s", {"0"}, "", "logit of the sink (learned; 0 stands for it)"});
    text.sink = "s";
  }
  return text;
}

std::string kind_name(const LayerKind& kind, bool windows_differ) {
  if (windows_differ) return kind.windowed ? "sliding" : "full";
  return kind.turned ? "rope" : "nope";
}

// Which keys a layer attends to, where the formula does not say it.
std::string kept_of(const JsonConfig& config, const LayerKind& kind) {
  if (kind.type == "reference_sliding_attention")
    return "all of the prompt, and of the tokens it writes the last " +
           std::to_string(config.integer("sliding_window", 1, std::int64_t{1} << 40));
  if (kind.type != "indexed_attention") return "";
  if (!config.has("index_topk")) return "scores over all keys; its indexer keeps some of them";
  const std::int64_t kept = config.integer("index_topk", 1, std::int64_t{1} << 40);
  return "scores over all keys; its indexer keeps " + std::to_string(kept) +
         " of them: all up to L = " + std::to_string(kept - 1);
}

// |q||k|/sqrt(d) when both are normed and the weights of the norms are 1: its square, or nothing.
Rational content_bound_squared(const JsonConfig& config, const ModelFamily& family, const LayerKind& kind) {
  const bool asked = family.norm_key.empty() || (config.has(family.norm_key) && config.flag(family.norm_key));
  const bool turned_alone = family.type == "llama4_text";
  if (family.norm == Norm::none || !asked || (turned_alone && !kind.turned)) return Rational(0);
  const Rational d(kind.head_dim);
  if (family.norm == Norm::heads) return d * Rational(kind.heads) * Rational(kind.key_heads);
  if (!config.has("qk_scale_factor")) return d;
  const Rational scale = config.exact("qk_scale_factor", 1e-9, 1e9);
  return d * scale * scale;
}

std::string title_of(const ModelFamily& family, const ConfigEncoding& encoding) {
  std::string title = family.type;
  if (encoding.learned_bias) title += ", decoder: buckets, with values 0 in place of the learned ones";
  if (encoding.layers.size() == static_cast<std::size_t>(encoding.all_layers)) {
    title += ", " + std::to_string(encoding.all_layers) + " layers";
  } else {
    title += ", layers " + ranges_of(encoding.layers) + " of " + std::to_string(encoding.all_layers);
  }
  title += "; " + std::to_string(encoding.heads) + " heads of dimension " + std::to_string(encoding.head_dim);
  if (encoding.key_heads != encoding.heads)
    title += ", " + std::to_string(encoding.key_heads) + " of keys and values";
  if (!encoding.content_bound.empty())
    title +=
        "; queries and keys are normed: B = " + encoding.content_bound + " where the norms have weights 1";
  if (!encoding.caveat.empty()) title += "; " + encoding.caveat;
  return title;
}

// Keys and values of the layer's heads; of latent attention the latent, and the key that all heads turn.
std::int64_t cached_numbers(const JsonConfig& config, const ModelFamily& family, const LayerKind& kind) {
  constexpr std::int64_t most = 1 << 20;
  const bool own = family.type == "dots3_note_text" && kind.windowed;
  const char* rank = own ? "swa_kv_lora_rank" : "kv_lora_rank";
  if (family.latent && config.has(rank)) return config.integer(rank, 1, most) + kind.rotary_dim;
  const char* value = "v_head_dim";
  const std::int64_t width = config.has(value) ? config.integer(value, 1, most) : kind.head_dim;
  return kind.key_heads * (kind.head_dim + width);
}

}  // namespace

std::string ranges_of(const std::vector<int>& layers, std::size_t most) {
  std::vector<std::string> ranges;
  for (std::size_t i = 0; i < layers.size();) {
    std::size_t end = i;
    while (end + 1 < layers.size() && layers[end + 1] == layers[end] + 1) ++end;
    ranges.push_back(std::to_string(layers[i]) + (end > i ? "-" + std::to_string(layers[end]) : ""));
    i = end + 1;
  }
  if (ranges.size() > most) {
    ranges[3] = "...";
    ranges.erase(ranges.begin() + 4, ranges.end() - 1);
  }
  return theory::joined(ranges, ", ");
}

theory::Encoding ConfigEncoding::parsed() const {
  return theory::parse_encoding(toml, name + ".toml", fs::current_path(), {});
}

std::vector<theory::Setting> ConfigEncoding::settings(int only_head) const {
  std::vector<theory::Setting> result;
  const auto add = [&](int head) { result.push_back({.head_dim = head_dim, .head = head, .heads = heads}); };
  if (only_head != 0) {
    add(only_head);
    return result;
  }
  for (int head = 1; head <= (by_head ? heads : 1); ++head) add(head);
  return result;
}

bool is_config(const std::string& what) {
  const fs::path ending = fs::path(what).extension();
  if (ending == ".json" || ending == ".gguf" || is_of_arguments(what)) return true;
  std::error_code ignored;
  if (!fs::is_regular_file(fs::path(what) / kConfigFile, ignored)) return false;
  if (names_file(what)) return true;
  const std::vector<std::string> names = library_names();  // which no folder shadows
  return std::ranges::find(names, what) == names.end();
}

std::vector<ConfigEncoding> encodings_of_config(const JsonConfig& whole) {
  const auto [config, type] = text_decoder(whole);
  const ModelFamily& family = family_of(type, whole, [](const JsonConfig& as) { encodings_of_config(as); });
  const char* both = "use_bidirectional_attention";
  if (config.has(both) && !config.is_text(both, "vision") && config.flag(both))
    config.fail(both, "false: causal attention");
  const std::vector<LayerKind> layers = layer_kinds(config, family);
  std::vector<LayerKind> kinds;
  for (const LayerKind& layer : layers) {
    if (!layer.type.empty() && std::ranges::find(kinds, layer) == kinds.end()) kinds.push_back(layer);
  }
  if (kinds.empty())
    throw theory::SpecError(config.source() + ": no layer of " + type +
                            " has softmax attention; expected one");
  const bool windows_differ = std::ranges::any_of(
      kinds, [&](const LayerKind& kind) { return kind.windowed != kinds.front().windowed; });
  std::vector<ConfigEncoding> result;
  for (const LayerKind& kind : kinds) {
    EncodingText text = encoding_of(config, family, kind);
    ConfigEncoding one;
    one.name = family.type + (kinds.size() > 1 ? "-" + kind_name(kind, windows_differ) : "");
    const auto taken = [&] {
      return std::ranges::find(result, one.name, &ConfigEncoding::name) != result.end();
    };
    if (taken() && !kind.turned) one.name += "-nope";
    const std::string plain = one.name;
    for (int more = 2; taken(); ++more) one.name = plain + "-" + std::to_string(more);
    one.all_layers = static_cast<int>(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (layers[i] == kind) one.layers.push_back(static_cast<int>(i) + 1);
    }
    one.heads = kind.heads;
    one.key_heads = kind.key_heads;
    one.head_dim = kind.head_dim;
    one.turned = text.turned;
    one.turned_last = family.latent;
    const Rational bound = content_bound_squared(config, family, kind);
    if (!bound.is_zero()) one.content_bound = "sqrt(" + bound.str() + ")";
    if (!bound.is_zero() && family.norm_after)
      one.caveat =
          "norms with weights after the rotation: where their products a and b differ in a pair of "
          "coordinates, (a - b)/2 times a reflection by the sum of both positions is added, and scores do "
          "not "
          "depend on the distance alone";
    one.learned_bias = family.position == Position::buckets;
    one.by_head = std::ranges::any_of(text.parameters, [](const EncodingText::Parameter& parameter) {
      return parameter.values.size() > 1;
    });
    static const std::vector<std::string> beside = {"falcon_h1", "qwen4_exp_text", "zamba", "zamba2", "zaya"};
    one.mixes_beside = std::ranges::find(beside, family.type) != beside.end();
    one.chunked = kind.type == "chunked_attention";
    one.cached = cached_numbers(config, family, kind);
    const char* shared = "num_kv_shared_layers";
    const bool shares = family.type.starts_with("gemma") && config.has(shared);
    const auto sharing = shares ? config.integer(shared, 0, one.all_layers) : std::int64_t{0};
    std::ranges::copy_if(one.layers, std::back_inserter(one.cached_layers),
                         [&](int layer) { return layer <= one.all_layers - sharing; });
    one.kept = kept_of(config, kind);
    text.name = one.name;
    text.title = title_of(family, one) + (one.kept.empty() ? "" : "; " + one.kept);
    const std::string newer = reader_of(family.type);
    const std::string reader = newer.empty() ? whole.origin().reader : newer;
    text.reference = whole.origin().file + " model_type " + family.type + ", as " + reader + " reads it";
    one.toml = text.toml();
    result.push_back(std::move(one));
  }
  return result;
}

std::int64_t context_of_config(const JsonConfig& whole) {
  const JsonConfig config = text_decoder(whole).first;
  const std::string key = first_key(config, {"max_position_embeddings", "n_positions", "max_seq_len"});
  return config.has(key) ? config.integer(key, 1, std::int64_t{1} << 40) : 0;
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
                                     {"content_bound", json_text_or_null(one.content_bound)},
                                     {"caveat", json_text_or_null(one.caveat)},
                                     {"toml", one.toml}});
  }
  return json_text(json);
}

namespace {

// The first line of a file for editors, with the schema that is installed beside the program.
std::string schema_directive() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path schema = program.parent_path().parent_path() / "share" / "gpe" / "encoding.schema.json";
  return fs::is_regular_file(schema, error) ? "#:schema " + schema.string() + "\n" : "";
}

}  // namespace

std::string config_encodings_text(const std::vector<ConfigEncoding>& encodings) {
  std::string text;
  for (const ConfigEncoding& one : encodings) {
    text += (text.empty() ? "" : "\n") + schema_directive() + "# " + one.name +
            ".toml; use it with --head-dim " + std::to_string(one.head_dim) +
            (one.by_head ? " --heads " + std::to_string(one.heads) : "") + "\n" + one.toml;
  }
  return text;
}

}  // namespace gpe::checks
