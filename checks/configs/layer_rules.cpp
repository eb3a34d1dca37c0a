#include "checks/configs/layer_rules.h"
// Tests: tests/checks/decoders_test.py
#include <vector>

namespace gpe::checks::layer_rules {

namespace {

// Which of the layers are attention, by a list of their numbers from `first`.
std::string by_number(const JsonConfig& config, const char* key, std::int64_t i, std::int64_t first,
                      const char* other) {
  for (const std::int64_t number : config.integers(key, 0)) {
    if (number == i + first) return kFull;
  }
  return other;
}

}  // namespace

std::int64_t key_or(const JsonConfig& config, const char* key, std::int64_t by_default) {
  return config.has(key) ? config.integer(key, 1, 1024) : by_default;
}

// EXAONE 4: no window at all where the config has none.
std::string exaone(std::int64_t i, std::int64_t n, const JsonConfig& config) {
  return config.has("sliding_window") ? last_full<4>(i, n, config) : kFull;
}

// AFMoE and ModernBERT name the period.
std::string afmoe(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return (i + 1) % key_or(config, "global_attn_every_n_layers", 4) == 0 ? kFull : kSliding;
}
std::string modernbert(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return i % key_or(config, "global_attn_every_n_layers", 3) == 0 ? kFull : kSliding;
}

std::string six_and_last(std::int64_t i, std::int64_t n, const JsonConfig& /*config*/) {
  return (i + 1) % 6 == 0 || i + 1 == n ? kFull : kSliding;
}

std::string cohere2_moe(std::int64_t i, std::int64_t n, const JsonConfig& config) {
  const std::int64_t dense =
      config.has("first_k_dense_replace") ? config.integer("first_k_dense_replace", 0, 1024) : 0;
  if (i >= dense) return last_full<4>(i - dense, n, config);
  return (i + 1) % key_or(config, "prefix_dense_sliding_window_pattern", 1) == 0 ? kFull : kSliding;
}

std::string flint(std::int64_t i, std::int64_t n, const JsonConfig& /*config*/) {
  return i < 2 || i % 4 == 1 || i + 1 == n ? kFull : kSliding;
}

std::string mimo(std::int64_t i, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  return i == 0 || (i + 1) % 6 == 0 ? kFull : kSliding;
}

std::string muse(std::int64_t i, std::int64_t n, const JsonConfig& /*config*/) {
  return (n - 1 - i) % 4 == 0 ? kFull : kSliding;
}

std::string dots3(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  const bool windows = !config.has("use_sliding_window") || config.flag("use_sliding_window");
  return !windows || i < 2 || i % 4 == 1 ? kIndexed : kSliding;
}

std::string qwen2_moe(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  const bool used = config.has("use_sliding_window") && config.flag("use_sliding_window");
  return used && i % 2 == 0 && i < key_or(config, "max_window_layers", 28) ? kSliding : kFull;
}

std::string dots1(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return config.has("sliding_window") && i >= config.integer("max_window_layers", 0, 1024) ? kSliding : kFull;
}

std::string ministral(std::int64_t /*i*/, std::int64_t /*n*/, const JsonConfig& config) {
  return config.has("sliding_window") ? kSliding : kFull;
}

std::string indexed(std::int64_t /*i*/, std::int64_t /*n*/, const JsonConfig& /*config*/) { return kIndexed; }

// Recurrent layers between those with attention.
std::string qwen3_next(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return (i + 1) % key_or(config, "full_attention_interval", 4) == 0 ? kFull : kLinear;
}
std::string qwen4(std::int64_t i, std::int64_t n, const JsonConfig& config) {
  return qwen3_next(i, n, config) == kFull ? kIndexed : kLinear;
}
std::string glm5_next(std::int64_t i, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  return i % 4 == 3 ? kIndexed : kLinear;
}
std::string bailing(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return (i + 1) % key_or(config, "layer_group_size", 6) == 0 ? kFull : kLinear;
}
// And the layers after the last whole group.
std::string bailing_v3(std::int64_t i, std::int64_t n, const JsonConfig& config) {
  const std::int64_t size = key_or(config, "layer_group_size", 5);
  return i >= n / size * size ? kFull : bailing(i, n, config);
}
std::string olmo_hybrid(std::int64_t i, std::int64_t n, const JsonConfig& /*config*/) {
  return i % 4 == 3 || (n < 4 && i + 1 == n) ? kFull : kLinear;
}
std::string minimax(std::int64_t i, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  return i % 2 == 0 ? kFull : kLinear;
}
std::string jamba(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  const std::int64_t offset = config.integer("attn_layer_offset", 0, 1024);
  return i % key_or(config, "attn_layer_period", 8) == offset ? kFull : kLinear;
}
std::string zamba(std::int64_t i, std::int64_t n, const JsonConfig& config) {
  if (i < 3) return i == 2 ? kFull : kLinear;
  return jamba(i - 3, n, config);
}
std::string zamba2(std::int64_t i, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  return (i < 43 && i > 0 && i % 6 == 0) || i == 47 || i == 51 ? kFull : kLinear;
}
std::string recurrent(std::int64_t /*i*/, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  return kLinear;
}

std::string bamba(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return config.has("attn_layer_indices") ? by_number(config, "attn_layer_indices", i, 0, kLinear) : kLinear;
}
std::string lfm2(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  return config.has("full_attn_idxs") ? by_number(config, "full_attn_idxs", i, 0, "conv") : kFull;
}
std::string lfm3(std::int64_t i, std::int64_t /*n*/, const JsonConfig& /*config*/) {
  if (i % 4 == 2) return kFull;
  return i % 4 == 0 && i > 0 ? kSliding : "conv";
}
std::string gigachat(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  const char* key = "full_attention_layers";
  return config.has(key) ? by_number(config, key, i, 0, kLinear) : kLinear;
}
std::string kimi(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  if (config.is_object("linear_attn_config")) {
    const JsonConfig linear = config.object("linear_attn_config");
    if (linear.has("full_attn_layers") && linear.has("kda_layers")) {
      const auto listed = [&](const char* key) { return by_number(linear, key, i, 1, kLinear) == kFull; };
      if (listed("kda_layers")) return kLinear;  // also where both lists have the layer
      if (!listed("full_attn_layers"))
        linear.fail("kda_layers", "each layer, from 1 on, in one of the two lists");
      return kFull;
    }
  }
  return i > 0 && i % 4 == 0 ? kFull : kLinear;
}
std::string recurrent_gemma(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  const std::vector<std::string> types = config.texts("block_types");
  return types[static_cast<std::size_t>(i) % types.size()] == "attention" ? kSliding : kLinear;
}
std::string nemotron_h(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  const char* key = "hybrid_override_pattern";
  const std::string pattern = config.has(key) ? config.text(key) : "ME*-";
  if (static_cast<std::size_t>(i) >= pattern.size()) config.fail(key, "one letter for each layer");
  return pattern[static_cast<std::size_t>(i)] == '*' ? kFull : kLinear;
}

// Cross-attention layers look at the picture.
std::string mllama(std::int64_t i, std::int64_t /*n*/, const JsonConfig& config) {
  const char* key = "cross_attention_layers";
  const bool cross = config.has(key) ? by_number(config, key, i, 0, "") == kFull : i % 5 == 3;
  return cross ? "cross_attention" : kFull;
}

}  // namespace gpe::checks::layer_rules
