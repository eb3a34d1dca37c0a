// The table of families behind family_of, as transformers 5.23 reads them: configuration_*.py and
// modeling_*.py of each. Tests: tests/checks/decoders_test.py
#include <algorithm>
#include <map>
#include <utility>

#include "checks/configs/config_family.h"
#include "checks/configs/layer_rules.h"

namespace gpe::checks {

namespace {

using namespace layer_rules;

// clang-format off
const std::vector<ModelFamily>& families() {
  constexpr auto listed = Windows::listed;
  constexpr auto every = Windows::every;
  constexpr auto late = Windows::late;
  constexpr auto unwindowed = Unturned::full;
  constexpr auto still = Unturned::all;
  constexpr auto unless_asked = Unturned::unless_asked;
  constexpr auto without_window = Unturned::without_window;
  constexpr auto by_base = Unturned::by_base;
  constexpr auto nested = RopeHome::nested;
  constexpr auto by_layer = RopeHome::by_layer;
  static const std::vector<ModelFamily> all_of_them = {
      {.type = "afmoe", .windows = listed, .unturned = unwindowed, .rule = afmoe, .norm = Norm::head},
      {.type = "apertus", .norm = Norm::head},
      {.type = "arcee"},
      {.type = "aria_text"},
      {.type = "axk1", .interleaved = true, .latent = true, .mscale = true},
      {.type = "axk2", .windows = listed, .rule = indexed, .interleaved = true, .latent = true, .mscale = true},
      {.type = "bailing_hybrid", .windows = listed, .rule = bailing, .interleaved = true, .latent = true, .mscale = true},
      {.type = "bamba", .windows = listed, .rule = bamba},
      {.type = "beam", .windows = listed, .rope = nested, .rule = six_and_last, .norm = Norm::head},
      {.type = "bitnet"},
      {.type = "bloom", .position = Position::alibi},
      {.type = "chameleon", .norm = Norm::head},
      {.type = "codegen", .interleaved = true},
      {.type = "cohere", .norm = Norm::head, .norm_key = "use_qk_norm", .interleaved = true},
      {.type = "cohere2", .windows = listed, .unturned = unwindowed, .rule = last_full<4>, .interleaved = true},
      {.type = "cohere2_moe", .windows = listed, .unturned = unwindowed, .rule = cohere2_moe, .interleaved = true},
      {.type = "cohere_compass_text", .windows = listed, .rope = nested},
      {.type = "cosmos3_edge_text"},
      {.type = "cwm", .windows = listed, .rule = first_full<4>},
      {.type = "dbrx"},
      {.type = "deepseek_ocr2_text"},
      {.type = "deepseek_v2", .interleaved = true, .latent = true, .mscale = true},
      {.type = "deepseek_v3", .interleaved = true, .latent = true, .mscale = true},
      {.type = "deepseek_v32", .windows = listed, .rule = indexed, .interleaved = true, .latent = true, .mscale = true},
      {.type = "diffllama"},
      {.type = "dots1", .windows = listed, .rule = dots1, .norm = Norm::head},
      {.type = "dots3_note_text", .windows = listed, .rope = nested, .rule = dots3, .interleaved = true, .latent = true},
      {.type = "emu3_text_model"},
      {.type = "ernie4_5", .interleaved = true},
      {.type = "ernie4_5_moe", .interleaved = true},
      {.type = "ernie4_5_vl_moe_text", .interleaved = true},
      {.type = "evolla"},
      {.type = "exaone4", .windows = listed, .unturned = without_window, .rule = exaone, .norm = Norm::head},
      {.type = "exaone_moe", .windows = listed, .unturned = without_window, .rule = exaone, .norm = Norm::head},
      {.type = "falcon", .position = Position::alibi_by_option},
      {.type = "falcon_h1"},
      {.type = "flex_olmo", .norm = Norm::heads},
      {.type = "flint", .windows = listed, .unturned = unwindowed, .rule = flint, .norm = Norm::head, .sink = true},
      {.type = "gemma"},
      {.type = "gemma2", .windows = listed, .rule = always_last_full<2>},
      {.type = "gemma3_text", .windows = listed, .rope = by_layer, .rule = last_full<6>, .norm = Norm::head},
      {.type = "gemma3n_text", .windows = listed, .rope = by_layer, .rule = always_last_full<5>, .norm = Norm::head, .unscaled = true},
      {.type = "gemma4_text", .windows = listed, .rope = nested, .rule = six_and_last, .norm = Norm::head, .unscaled = true},
      {.type = "gemma4_unified_text", .windows = listed, .rope = nested, .rule = six_and_last, .norm = Norm::head, .unscaled = true},
      {.type = "glm", .interleaved = true},
      {.type = "glm4", .interleaved = true},
      {.type = "glm4_moe", .norm = Norm::head, .norm_key = "use_qk_norm"},
      {.type = "glm4_moe_lite", .interleaved = true, .latent = true, .mscale = true},
      {.type = "glm4v_moe_text"},
      {.type = "glm4v_text", .interleaved = true},
      {.type = "glm5_next_text", .windows = listed, .unturned = still, .rule = glm5_next, .latent = true},
      {.type = "glm_moe_dsa", .windows = listed, .rule = indexed, .interleaved = true, .latent = true, .mscale = true},
      {.type = "glm_ocr_text", .interleaved = true},
      {.type = "gpt_neox"},
      {.type = "gpt_neox_japanese"},
      {.type = "gpt_oss", .windows = listed, .rule = always_last_full<2>, .sink = true},
      {.type = "gptj", .interleaved = true},
      {.type = "granite", .multiplier = true},
      {.type = "granite4_vision_text", .multiplier = true},
      {.type = "granite_docling_text", .multiplier = true},
      {.type = "granite_swa", .windows = listed, .unturned = by_base, .rule = first_full<4>, .multiplier = true, .sink = true},
      {.type = "granitemoe", .multiplier = true},
      {.type = "granitemoe_swa", .windows = listed, .unturned = by_base, .rule = first_full<4>, .multiplier = true, .sink = true},
      {.type = "granitemoehybrid", .windows = listed, .unturned = unless_asked, .rule = recurrent, .multiplier = true},
      {.type = "granitemoeshared", .multiplier = true},
      {.type = "helium", .interleaved = true},
      {.type = "hrm_text"},
      {.type = "hunyuan_v1_dense", .norm = Norm::head, .norm_after = true},
      {.type = "hunyuan_v1_moe", .norm = Norm::head, .norm_after = true},
      {.type = "hunyuan_vl_text", .norm = Norm::head, .norm_after = true},
      {.type = "hy_v3", .norm = Norm::head},
      {.type = "hy_v4", .windows = listed, .rule = indexed, .sink = true, .latent = true, .mscale = true},
      {.type = "hyperclovax", .multiplier = true},
      {.type = "idefics", .norm = Norm::head, .norm_key = "qk_layer_norms", .norm_after = true},
      {.type = "internlm3"},
      {.type = "iquestcoder"},
      {.type = "jais2"},
      {.type = "jamba", .windows = listed, .unturned = still, .rule = jamba},
      {.type = "jetmoe"},
      {.type = "kimi_linear", .windows = listed, .unturned = still, .rule = kimi, .latent = true},
      {.type = "kolibri1", .windows = listed, .unturned = without_window, .rule = always_last_full<5>, .norm = Norm::head},
      {.type = "laguna", .windows = listed, .rope = nested, .norm = Norm::head},
      {.type = "lfm2", .windows = listed, .rule = lfm2, .norm = Norm::head},
      {.type = "lfm2_moe", .windows = listed, .norm = Norm::head},
      {.type = "lfm3", .windows = listed, .rope = nested, .rule = lfm3, .norm = Norm::head},
      {.type = "llama"},
      {.type = "llama4_text", .windows = listed, .unturned = Unturned::listed, .norm = Norm::head, .norm_key = "use_qk_norm", .interleaved = true},
      {.type = "longcat_flash", .interleaved = true, .latent = true, .mscale = true},
      {.type = "mellum", .windows = listed, .rope = nested, .norm = Norm::head},
      {.type = "mimo_v2_flash", .windows = listed, .rope = nested, .rule = mimo, .sink = true},
      {.type = "minicpm3", .latent = true, .mscale = true},
      {.type = "minimax", .windows = listed, .rule = minimax},
      {.type = "minimax_m2", .norm = Norm::heads},
      {.type = "minimax_m3_vl_text", .windows = listed, .norm = Norm::head},
      {.type = "ministral", .windows = listed, .rule = ministral},
      {.type = "ministral3", .windows = every, .length_temperature = true},
      {.type = "mistral", .windows = every},
      {.type = "mistral4", .interleaved = true, .latent = true, .mscale = true, .length_temperature = true},
      {.type = "mistral_large4_text", .windows = listed, .unturned = Unturned::listed, .rule = indexed, .interleaved = true, .latent = true, .mscale = true},
      {.type = "mixtral", .windows = every},
      {.type = "mllama_text_model", .windows = listed, .rule = mllama},
      {.type = "modernbert-decoder", .windows = listed, .rope = by_layer, .rule = modernbert},
      {.type = "molmo2_text", .norm = Norm::head},
      {.type = "moshi"},
      {.type = "mpt", .position = Position::alibi_mpt},
      {.type = "mt5", .position = Position::buckets},
      {.type = "muse_glimmer_text", .windows = listed, .unturned = by_base, .rule = muse, .norm = Norm::head},
      {.type = "muse_spark_text", .windows = listed, .unturned = by_base, .rule = muse, .norm = Norm::head},
      {.type = "nanochat", .norm = Norm::head, .backward = true},
      {.type = "nemotron"},
      {.type = "nemotron_h", .windows = listed, .unturned = still, .rule = nemotron_h},
      {.type = "olmo"},
      {.type = "olmo2", .norm = Norm::heads},
      {.type = "olmo3", .windows = listed, .rope = by_layer, .rule = always_last_full<4>, .norm = Norm::heads},
      {.type = "olmo_hybrid", .windows = listed, .rule = olmo_hybrid, .norm = Norm::heads},
      {.type = "olmoe", .norm = Norm::heads},
      {.type = "paddleocr_vl_text"},
      {.type = "persimmon", .norm = Norm::head, .norm_key = "qk_layernorm"},
      {.type = "phi", .norm = Norm::head, .norm_key = "qk_layernorm"},
      {.type = "phi3", .windows = every},
      {.type = "phi4_multimodal", .windows = every},
      {.type = "phimoe", .windows = every},
      {.type = "pix2struct_text_model", .position = Position::buckets},
      {.type = "qwen2", .windows = late},
      {.type = "qwen2_5_omni_text", .windows = late},
      {.type = "qwen2_5_vl_text", .windows = late},
      {.type = "qwen2_moe", .windows = listed, .rule = qwen2_moe},
      {.type = "qwen2_vl_text", .windows = late},
      {.type = "qwen3", .windows = late, .norm = Norm::head},
      {.type = "qwen3_5_moe_text", .windows = listed, .rule = qwen3_next, .norm = Norm::head},
      {.type = "qwen3_5_text", .windows = listed, .rule = qwen3_next, .norm = Norm::head},
      {.type = "qwen3_moe", .windows = Windows::if_used, .norm = Norm::head},
      {.type = "qwen3_next", .windows = listed, .rule = qwen3_next, .norm = Norm::head},
      {.type = "qwen3_omni_moe_text", .norm = Norm::head},
      {.type = "qwen3_vl_moe_text", .norm = Norm::head},
      {.type = "qwen3_vl_text", .norm = Norm::head},
      {.type = "qwen4_exp_text", .windows = listed, .rule = qwen4, .norm = Norm::head},
      {.type = "recurrent_gemma", .windows = listed, .rule = recurrent_gemma},
      {.type = "roformer", .interleaved = true},
      {.type = "seed_oss"},
      {.type = "smollm3", .windows = Windows::unturned, .unturned = Unturned::listed},
      {.type = "solar_open"},
      {.type = "stablelm", .norm = Norm::head, .norm_key = "qk_layernorm"},
      {.type = "starcoder2", .windows = every},
      {.type = "step3p5", .windows = listed, .rope = nested, .norm = Norm::head},
      {.type = "t5", .position = Position::buckets},
      {.type = "t5gemma2_decoder", .windows = listed, .rope = by_layer, .rule = last_full<6>, .norm = Norm::head},
      {.type = "udop", .position = Position::buckets},
      {.type = "umt5", .position = Position::buckets},
      {.type = "unlimited_ocr_text", .windows = listed},
      {.type = "vaultgemma", .windows = listed, .rule = always_last_full<2>},
      {.type = "youtu", .interleaved = true, .latent = true, .mscale = true},
      {.type = "zamba", .windows = listed, .unturned = still, .rule = zamba},
      {.type = "zamba2", .windows = listed, .unturned = unless_asked, .rule = zamba2},
      {.type = "zaya", .windows = listed, .rope = nested, .norm = Norm::head},
  };
  return all_of_them;
}

// Newer than that, as the code of others reads them: reader_of.
const std::vector<ModelFamily>& newer_families() {
  static const std::vector<ModelFamily> all = {
      {.type = "alice_ai", .windows = Windows::listed, .rule = qwen3_next, .norm = Norm::head},
      {.type = "bailing_moe_v3", .windows = Windows::listed, .rule = bailing_v3, .interleaved = true, .latent = true},
      {.type = "berrylm", .windows = Windows::listed, .rule = qwen3_next, .norm = Norm::head},
      {.type = "enggpt_moe", .norm = Norm::head, .plain = true},
      {.type = "gigachat3_5", .windows = Windows::listed, .rule = gigachat, .interleaved = true, .latent = true, .mscale = true},
      {.type = "maple", .windows = Windows::listed, .unturned = Unturned::full, .rule = last_full<4>, .norm = Norm::head, .norm_key = "use_qk_norm", .plain = true},
      {.type = "sarvam_moe", .norm = Norm::head, .norm_key = "use_qk_norm"},
      {.type = "spark2_5", .windows = Windows::listed, .rope = RopeHome::nested, .plain = true},
  };
  return all;
}

// Arguments of Megatron-LM, which no config.json has as its type.
const std::vector<ModelFamily>& formats() {
  constexpr auto listed = Windows::listed;
  constexpr auto stay = Unturned::listed;
  static const std::vector<ModelFamily> all = {
      {.type = "megatron", .windows = listed, .unturned = stay, .norm = Norm::head, .norm_key = "qk_layernorm", .interleaved = true},
      {.type = "megatron_sink", .windows = listed, .unturned = stay, .norm = Norm::head, .norm_key = "qk_layernorm", .interleaved = true, .sink = true},
  };
  return all;
}

// Known and refused: the type and the reason.
const std::vector<std::pair<std::string, std::string>>& refused_families() {
  static const char* const learned = "learned absolute positions";
  static const char* const sinusoids = "sinusoids that are added to its states";
  static const std::vector<std::pair<std::string, std::string>> refused = {
      {"bart", learned}, {"bert", learned}, {"bert-generation", learned}, {"big_bird", learned},
      {"bigbird_pegasus", learned}, {"biogpt", learned}, {"blenderbot", learned}, {"blenderbot-small", learned},
      {"blip_text_model", learned},
      {"blt", "several transformers over bytes and patches, each with its own keys"},
      {"camembert", learned},
      {"cpmant", "biases by segments of the text"},
      {"ctrl", sinusoids}, {"data2vec-text", learned},
      {"deberta-v2", "products of content and position"},
      {"deepseek_v4", "keys that stand for blocks of tokens"},
      {"diffusion_gemma_text", "a canvas whose tokens see each other in both directions"},
      {"distilbert", learned},
      {"doge", "a bias and a choice of keys that the values make"},
      {"electra", learned}, {"ernie", learned},
      {"falcon_mamba", "no attention"},
      {"git", learned}, {"gpt2", learned}, {"gpt_bigcode", learned}, {"gpt_neo", learned},
      {"inkling2_text", "a bias that is linear in the query"}, {"inkling_text", "a bias that is linear in the query"},
      {"kosmos_2_5_text_model", sinusoids}, {"kosmos_2_text_model", sinusoids},
      {"mamba", "no attention"}, {"mamba2", "no attention"},
      {"marian", sinusoids}, {"mbart", learned}, {"megatron-bert", learned}, {"musicgen_decoder", sinusoids},
      {"musicgen_melody_decoder", sinusoids}, {"mvp", learned}, {"openai-gpt", learned}, {"opt", learned},
      {"pegasus", sinusoids}, {"plbart", learned}, {"pp_formulanet_text", learned}, {"prophetnet", learned},
      {"reformer", learned}, {"rembert", learned}, {"roberta", learned}, {"roberta-prelayernorm", learned},
      {"roc_bert", learned},
      {"rwkv", "no attention"},
      {"trocr", learned}, {"whisper", learned},
      {"xglm", "sinusoidal positions with projections"},
      {"xlm", learned}, {"xlm-roberta", learned}, {"xlm-roberta-xl", learned},
      {"xlnet", "products of content and position"},
      {"xlstm", "no attention"},
      {"xmod", learned},
  };
  return refused;
}
// clang-format on

}  // namespace

namespace {

// Newer types that are known and not read: what they have, and what reads most of it.
std::string newer_refusal(const std::string& type) {
  static const std::map<std::string, std::string> all = {
      {"clef",
       "the decoder of Qwen 3.5, which config.json of its checkpoints names; --as qwen3_5_text reads it"},
      {"deepseek_v41", "keys that stand for blocks of tokens, as deepseek_v4 has"},
      {"granite_switch",
       "two of its layers for a switch of adapters; --as granite reads the others, and these two as well"},
      {"minicpm_sala", "layers that choose blocks of keys by their contents"},
      {"motif3", "weights that are differences of two softmaxes over latent keys"},
      {"plamo3",
       "windows that its own code lists by layer; --as FILE.json with the keys of gemma3_text reads it"},
      {"sarvam_mla",
       "the rope_type deepseek_yarn; --as FILE.json with deepseek_v3 and the rope_type yarn reads it"}};
  const auto found = all.find(type);
  return found == all.end() ? "" : "a type newer than transformers 5.23, with " + found->second;
}

}  // namespace

const ModelFamily* known_family(const std::string& type) {
  for (const auto* table : {&families(), &newer_families(), &formats()}) {
    const auto found = std::ranges::find(*table, type, &ModelFamily::type);
    if (found != table->end()) return &*found;
  }
  return nullptr;
}

std::vector<std::string> family_types() {
  std::vector<std::string> result;
  for (const auto* table : {&families(), &newer_families()})
    std::ranges::transform(*table, std::back_inserter(result), &ModelFamily::type);
  return result;
}

std::string refusal_of(const std::string& type, const JsonConfig& config) {
  for (const auto& [known, why] : refused_families()) {
    if (known == type)
      return "a model with " + why + "; expected one whose scores are a function of the distance";
  }
  if (const std::string newer = newer_refusal(type); !newer.empty()) return newer;
  if (config.has("image_size") || config.has("patch_size"))
    return "a model of pictures, whose positions have two dimensions; expected a language model";
  return "";
}

}  // namespace gpe::checks
