// What transformers' code does for a `model_type` beyond what its config.json says: which keys count, and
// what each layer is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checks/configs/json_config.h"

namespace gpe::checks {

/// Where the position of a key enters.
enum class Position { rotary, alibi, alibi_by_option, alibi_mpt, buckets };
/// Which layers have a sliding window.
enum class Windows {
  none,      ///< no layer, whatever the config says
  every,     ///< all of them
  if_used,   ///< all of them, with use_sliding_window
  late,      ///< from max_window_layers on, with use_sliding_window
  unturned,  ///< those without rotation, with use_sliding_window
  listed     ///< layer_types, or the rule of the family
};
/// Which layers do not rotate.
enum class Unturned {
  none,
  all,
  full,            ///< those without a window
  without_window,  ///< the same, where the model has windows at all
  listed,          ///< no_rope_layers
  by_base,         ///< those whose layer_rope_theta is 0
  unless_asked     ///< all of them, unless the key of the family says that they do
};
/// Where the keys of the rotation are.
enum class RopeHome {
  flat,      ///< rope_scaling or rope_parameters, rope_theta beside or inside
  by_layer,  ///< rope_scaling is that of layers without a window (Gemma 3)
  nested     ///< rope_parameters by layer type, and nothing else
};
/// What is normed before the scores, which bounds the content.
enum class Norm { none, head, heads };

/// The i-th of n layers by its type, where the config has no layer_types.
using LayerRule = std::string (*)(std::int64_t i, std::int64_t n, const JsonConfig& config);

struct ModelFamily {
  std::string type = {};  ///< model_type
  Position position = Position::rotary;
  Windows windows = Windows::none;
  Unturned unturned = Unturned::none;
  RopeHome rope = RopeHome::flat;
  LayerRule rule = nullptr;         ///< none: all layers are full_attention
  Norm norm = Norm::none;           ///< of queries and of keys
  std::string norm_key = {};        ///< which must be true for it; empty: always
  bool norm_after = false;          ///< it has weights, and comes after the rotation
  bool interleaved = false;         ///< pairs (2i, 2i + 1) turn
  bool backward = false;            ///< the other way round
  bool unscaled = false;            ///< the content is qᵀk
  bool multiplier = false;          ///< attention_multiplier is the scale of the content
  bool sink = false;                ///< one learned logit a head in the normalizer
  bool latent = false;              ///< multi-head latent attention
  bool mscale = false;              ///< and its scale has the square of YaRN's mscale
  bool length_temperature = false;  ///< llama_4_scaling_beta
  bool plain = false;               ///< its code has no scaled rotations
};

/// Nothing for a model_type that is not read.
const ModelFamily* known_family(const std::string& type);
std::vector<std::string> family_types();
/// Why a model_type is known and not read; empty: it is not known.
std::string refusal_of(const std::string& type, const JsonConfig& config);

/// One kind of layers: what differs between layers of a model.
struct LayerKind {
  std::string type = "full_attention";
  bool windowed = false;
  bool turned = true;
  std::string base = {};      ///< of this layer alone; empty: the model's
  std::string fraction = {};  ///< partial_rotary_factor of these layers
  int heads = 0;
  int key_heads = 0;
  int head_dim = 0;
  int rotary_dim = 0;  ///< latent attention: coordinates that turn

  bool operator==(const LayerKind&) const = default;
};

/// By layer; those that are not a softmax attention (recurrent ones, convolutions) have an empty type.
/// @throws theory::SpecError  also for chunked layers, which are not a function of a distance
std::vector<LayerKind> layer_kinds(const JsonConfig& config, const ModelFamily& family);

/// Keys that a layer with a window sees, its own included; 0 when it has none.
std::int64_t window_of(const JsonConfig& config, const ModelFamily& family);

/// rope_scaling, or rope_parameters, or what the class has in their place; nothing where it has nothing.
std::optional<JsonConfig> rope_dict(const JsonConfig& config, const ModelFamily& family);

/// The first of these keys that the config states, else the first that it has by default, else the first.
std::string first_key(const JsonConfig& config, const std::vector<std::string>& names);

}  // namespace gpe::checks
