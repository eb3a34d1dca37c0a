#include "checks/configs/rope_keys.h"
// Tests: tests/checks/readings_test.py
#include <algorithm>

#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Rational;

namespace {

const std::string kScaling = "rope_scaling";
const std::string kParameters = "rope_parameters";
const std::string kFraction = "partial_rotary_factor";
const std::string kOriginal = "original_max_position_embeddings";

bool is_neox(const ModelFamily& family) { return family.type.starts_with("gpt_neox"); }

// What the class has where no key states the base; "global" or "local" where layers differ.
Rational default_base(const JsonConfig& config, bool local) {
  const char* key = "default_theta";
  if (!config.has(key)) return 10000;
  if (!config.is_object(key)) return config.exact(key, RopeKeys::kLeast, RopeKeys::kMax);
  return config.object(key).exact(local ? "local" : "global", RopeKeys::kLeast, RopeKeys::kMax);
}

}  // namespace

RopeKeys::RopeKeys(const JsonConfig& config, const ModelFamily& family, const LayerKind& kind)
    : config_(config), family_(family), kind_(kind) {
  if (family.type == "step3p5")
    take_listed();
  else if (family.rope == RopeHome::by_layer)
    take_both();
  else
    take_dict();
  set_type();
  fill_length();
}

void RopeKeys::take_dict() {
  outer_ = rope_dict(config_, family_);
  if (family_.type == "dots3_note_text" || family_.type == "bailing_moe_v3")
    over_[kFraction] = {std::nullopt, kFraction, 1};
  if (family_.rope == RopeHome::nested) {
    if (!outer_ && family_.type == "dots3_note_text") {
      if (kind_.windowed) fill("rope_theta", "swa_rope_theta");
      if (kind_.windowed) fill("rope_theta", Rational(50000));
      fill_base();
      return;
    }
    if (!outer_) config_.fail(kParameters, "an object with " + kind_.type);
    const bool copied = family_.type == "dots3_note_text" && !is_by_layer(*outer_);
    dicts_.push_back(copied ? *outer_ : outer_->object(kind_.type));
    nested_ = true;
    if (copied) outer_.reset();
    if (family_.type == "lfm3" || family_.type == "dots3_note_text" || another_is_scaled()) fill_beside();
    return;
  }
  if (outer_) {
    dicts_.push_back(*outer_);
    const char* key = "reads_layer_types";
    const bool always = config_.is_text(key, "always") || family_.type == "minimax_m3_vl_text";
    const bool reads_types = always || (config_.has(key) && config_.states("layer_types"));
    static const std::vector<std::string> filled = {
        "gpt_neox",        "gpt_neox_japanese", "phi3", "phi4_multimodal", "qwen2_vl_text",
        "qwen2_5_vl_text", "minimax_m3_vl_text"};
    if (reads_types && is_by_layer(*outer_)) {
      if (!outer_->has("rope_type") && family_.type != "minimax_m3_vl_text")
        throw theory::SpecError(config_.source() +
                                ": a rotation for each type of layers; expected one: the code of " +
                                family_.type + " has the same in all layers");
      nested_ = true;
      if (std::ranges::find(filled, family_.type) == filled.end()) return;
    }
  }
  fill_beside();
}

// What stands beside the dicts is filled in where the code makes the frequencies of the first type of layers
// whose rotation is not the plain one, and in those after it.
bool RopeKeys::another_is_scaled() const {
  return std::ranges::any_of(outer_->keys(), [&](const std::string& type) {
    if (type > kind_.type || !outer_->is_object(type)) return false;
    const JsonConfig dict = outer_->object(type);
    const char* key = dict.contains("rope_type") ? "rope_type" : "type";
    return dict.has(key) && !dict.is_text(key, "default");
  });
}

// One dict for layers without a window, which rope_scaling updates, and one for the others (Gemma 3).
void RopeKeys::take_both() {
  nested_ = true;
  const bool local = kind_.windowed;
  const bool updated = !local || family_.type == "modernbert-decoder";
  if (updated && config_.has(kScaling)) dicts_.push_back(config_.object(kScaling));
  if (config_.has(kParameters)) {
    outer_ = config_.object(kParameters);
    if (outer_->is_object(kind_.type)) dicts_.push_back(outer_->object(kind_.type));
  }
  typed_ = dicts_.empty() || !outer_ || !outer_->is_object(kind_.type);
  fill_base();
  if (config_.has(kFraction)) fill(kFraction, kFraction);
}

// Step 3.5: one dict for each type of layers, or bases and fractions by layer, with rope_scaling for those
// without a window, whose "type" its class does not look at.
void RopeKeys::take_listed() {
  nested_ = true;
  if (config_.has(kParameters) && config_.object(kParameters).is_object(kind_.type)) {
    dicts_.push_back(config_.object(kParameters).object(kind_.type));  // its class drops what is around
    fill("rope_theta", default_base(config_, false));
    if (config_.has(kFraction)) fill(kFraction, kFraction);
    return;
  }
  typed_ = true;
  if (!kind_.windowed && config_.has(kScaling)) dicts_.push_back(config_.object(kScaling));
  if (!kind_.base.empty()) fill("rope_theta", *Rational::parse(kind_.base));
  fill_base();
  if (!kind_.fraction.empty()) fill(kFraction, *Rational::parse(kind_.fraction));
}

bool RopeKeys::is_by_layer(const JsonConfig& dict) const {
  static const std::vector<std::string> types = {"full_attention",   "sliding_attention", "chunked_attention",
                                                 "linear_attention", "indexed_attention", "hybrid",
                                                 "hybrid_sliding",   kind_.type};
  return std::ranges::any_of(
      types, [&](const std::string& type) { return dict.is_object(type) || dict.is_null(type); });
}

// What stands beside the dict counts where the dict has no such key.
void RopeKeys::fill_beside() {
  fill_base();
  if (is_neox(family_)) {
    fill(kFraction, "rotary_pct");
    fill(kFraction, family_.type == "gpt_neox" ? Rational(1, 4) : Rational(1));
  } else if (family_.type == "minimax_m2" && config_.has("rotary_dim") && !config_.contains(kFraction)) {
    fill(kFraction, Rational(config_.integer("rotary_dim", 2, kind_.head_dim), kind_.head_dim));
  } else if (family_.type == "mistral4") {
    fill(kFraction, Rational(kind_.rotary_dim, kind_.head_dim));
  } else if (family_.type == "bamba") {
    fill(kFraction, Rational(1, 2));
  } else if (config_.has(kFraction) && family_.type != "cohere2_moe") {  // its class takes the dict as it is
    fill(kFraction, kFraction);
  }
}

void RopeKeys::fill_base() {
  const bool local = family_.rope == RopeHome::by_layer && kind_.windowed;
  std::string key = "rope_theta";
  if (is_neox(family_)) key = "rotary_emb_base";
  if (local) key = "rope_local_base_freq";
  if (family_.type == "modernbert-decoder") key = local ? "local_rope_theta" : "global_rope_theta";
  const bool alone = local && family_.type == "olmo3";  // its code has taken the key out before
  if (!alone) fill("rope_theta", key);
  fill("rope_theta", default_base(config_, local));
}

// The trained length: beside the dict it replaces what is inside, unless there are dicts by layer.
void RopeKeys::fill_length() {
  const std::string context =
      first_key(config_, {"max_position_embeddings", "n_positions", "max_seq_len", "model_max_length"});
  if (type_ != "llama3" && type_ != "yarn" && type_ != "longrope" && !family_.length_temperature) return;
  if (!nested_ && family_.type != "phimoe" && config_.has(kOriginal))
    over_[kOriginal] = {config_, kOriginal};
  else
    fill(kOriginal, context);
}

void RopeKeys::set_type() {
  if (!contains("rope_type") && contains("type") && !typed_) type_key_ = "type";
  const auto entry = find(type_key_);
  if (!entry) return;
  type_ = entry->home->text(entry->name);
  const std::string& family = family_.type;
  const bool phi = family == "phi3" || family == "phi4_multimodal";
  if (phi && (type_ == "su" || type_ == "yarn")) type_ = "longrope";
  if (phi && type_ != "default" && type_ != "longrope")
    entry->home->fail(entry->name, "\"default\" or \"longrope\"");
  if (type_ == "mrope" && family.starts_with("qwen2")) type_ = "default";  // for text, one dimension
  if (type_ == "xdrope" && family == "hunyuan_vl_text") type_ = "dynamic";
}

void RopeKeys::fill(const std::string& key, const std::string& outside) {
  if (!filled_.contains(key) && config_.contains(outside)) filled_[key] = {config_, outside};
}

void RopeKeys::fill(const std::string& key, const Rational& value) {
  if (!filled_.contains(key)) filled_[key] = {std::nullopt, key, value};
}

std::optional<RopeKeys::Entry> RopeKeys::find(const std::string& key) const {
  if (const auto over = over_.find(key); over != over_.end()) return over->second;
  for (const JsonConfig& dict : dicts_) {
    if (dict.contains(key)) return Entry{dict, key};
  }
  const auto filled = filled_.find(key);
  if (filled == filled_.end()) return std::nullopt;
  return filled->second;
}

bool RopeKeys::contains(const std::string& key) const { return find(key).has_value(); }

bool RopeKeys::has(const std::string& key) const {
  const auto entry = find(key);
  return entry && (!entry->home || entry->home->has(entry->name));
}

Rational RopeKeys::exact(const std::string& key, double low, double high) const {
  const auto entry = find(key);
  if (!entry) return last().exact(key, low, high);
  return entry->home ? entry->home->exact(entry->name, low, high) : entry->value;
}

Rational RopeKeys::exact_or(const std::string& key, const Rational& by_default) const {
  return has(key) ? exact(key) : by_default;
}

std::vector<Rational> RopeKeys::exact_list(const std::string& key) const {
  const auto entry = find(key);
  return entry ? entry->home->exact_list(entry->name, kLeast, kMax) : last().exact_list(key, kLeast, kMax);
}

// transformers asks the dict around those of layer types, whichever layer it is about.
bool RopeKeys::flag_or(const std::string& key, bool by_default) const {
  if (nested_ && outer_) return outer_->has(key) ? outer_->flag(key) : by_default && !outer_->is_null(key);
  const auto entry = find(key);
  if (nested_ || !entry) return by_default;
  return entry->home->has(entry->name) && entry->home->flag(entry->name);
}

void RopeKeys::fail(const std::string& key, const std::string& expected) const {
  const auto entry = find(key);
  if (entry && entry->home) entry->home->fail(entry->name, expected);
  last().fail(key, expected);
}

void RopeKeys::fail_type(const std::string& expected) const { fail(type_key_, expected); }

const JsonConfig& RopeKeys::last() const { return dicts_.empty() ? config_ : dicts_.back(); }

}  // namespace gpe::checks
