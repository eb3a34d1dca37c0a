// The kinds of a model's layers where its config does not list them: a rule for each family that has one.
#pragma once

#include <cstdint>
#include <string>

#include "checks/configs/json_config.h"

namespace gpe::checks::layer_rules {

inline constexpr const char* kFull = "full_attention";
inline constexpr const char* kSliding = "sliding_attention";
inline constexpr const char* kLinear = "linear_attention";
inline constexpr const char* kIndexed = "indexed_attention";

/// The whole number under `key`, 1 to 1024, or else this one.
std::int64_t key_or(const JsonConfig& config, const char* key, std::int64_t by_default);

/// The kind of layer i = 0 ... n - 1; a LayerRule points to one.
using Rule = std::string(std::int64_t i, std::int64_t n, const JsonConfig& config);

/// Every n-th layer is full.
template <std::int64_t every>
std::string last_full(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return (i + 1) % key_or(config, "sliding_window_pattern", every) == 0 ? kFull : kSliding;
}

/// The same, and no key for it.
template <std::int64_t every>
std::string always_last_full(std::int64_t i, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  return (i + 1) % every == 0 ? kFull : kSliding;
}

template <std::int64_t every>
std::string first_full(std::int64_t i, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  return i % every == 0 ? kFull : kSliding;
}

Rule gigachat, exaone, afmoe, modernbert, six_and_last, cohere2_moe, flint, mimo, muse, dots3, qwen2_moe,
    dots1, ministral, indexed, qwen3_next, qwen4, glm5_next, bailing, bailing_v3, olmo_hybrid, minimax, jamba,
    zamba, zamba2, recurrent, bamba, lfm2, lfm3, kimi, recurrent_gemma, nemotron_h, mllama;

}  // namespace gpe::checks::layer_rules
