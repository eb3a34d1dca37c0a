// What transformers' code does for a `model_type` beyond what its config.json says: defaults, and which keys
// count.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "checks/configs/json_config.h"

namespace gpe::checks {

/// Where the position of a key enters.
enum class Position { rotary, alibi, alibi_by_option, alibi_mpt, buckets };
/// Which layers have a sliding window.
enum class Windows {
  none,     ///< no layer, whatever the config says
  every,    ///< all of them
  if_used,  ///< all of them, with use_sliding_window
  late,     ///< from max_window_layers on, with use_sliding_window
  pattern,  ///< all but every n-th
  unturned  ///< those without rotation, with use_sliding_window
};
/// Which layers do not rotate.
enum class Unturned { none, without_window, listed };

struct Family {
  std::string type = {};  ///< model_type
  Position position = Position::rotary;
  Windows windows = Windows::none;
  Unturned unturned = Unturned::none;
  std::string base = "10000";       ///< rope_theta by default
  std::string local_base = {};      ///< of layers with a window, when it differs
  std::string fraction = "1";       ///< partial_rotary_factor by default
  std::int64_t window = 0;          ///< sliding_window by default; 0: none
  std::int64_t every = 0;           ///< pattern: every n-th layer has no window
  int head_dim = 0;                 ///< by default; 0: hidden_size/num_attention_heads
  int query_scalar = 0;             ///< query_pre_attn_scalar by default; 0: not a key of this family
  int softcap = 0;                  ///< attn_logit_softcapping by default
  bool interleaved = false;         ///< pairs (2i, 2i + 1) turn
  bool rope_by_layer = false;       ///< rope_scaling is that of layers without a window
  bool multiplier = false;          ///< attention_multiplier is the scale of the content
  bool sink = false;                ///< one learned logit a head in the normalizer
  bool latent = false;              ///< DeepSeek's multi-head latent attention
  bool length_temperature = false;  ///< llama_4_scaling_beta
};

/// @throws theory::SpecError  a model_type that is not known, or whose positions are no function of a
/// distance
const Family& family_of(const JsonConfig& config);

/// One kind of layers: what differs between layers of a model.
struct LayerKind {
  bool windowed = false;
  bool turned = true;

  bool operator==(const LayerKind&) const = default;
};

/// By layer. @throws theory::SpecError  also for chunked and linear layers, which are no function of a
/// distance
std::vector<LayerKind> layer_kinds(const JsonConfig& config, const Family& family);

/// Keys that a layer with a window sees, its own included; 0 when it has none.
std::int64_t window_of(const JsonConfig& config, const Family& family);

}  // namespace gpe::checks
