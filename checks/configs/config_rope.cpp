#include "checks/configs/config_rope.h"

#include <optional>

#include "theory/expression/spec_error.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr double kMost = 1e12;
constexpr double kLeast = 1e-6;

// Where the keys of a rotation are looked for, and in which order.
class RopeKeys {
 public:
  RopeKeys(const JsonConfig& config, const Family& family, const LayerKind& kind) : config_(config) {
    const std::string layers = kind.windowed ? "sliding_attention" : "full_attention";
    const auto add = [&](const char* key) {
      if (!config.has(key)) return;
      JsonConfig object = config.object(key);
      by_layer_ = object.is_object(layers) || (family.rope_by_layer && std::string(key) == "rope_parameters");
      if (object.is_object(layers)) object = object.object(layers);
      if (!by_layer_ || config.object(key).is_object(layers)) objects_.push_back(object);
    };
    const bool scaling = config.has("rope_scaling") && !config.object("rope_scaling").keys().empty();
    if (scaling && !(family.rope_by_layer && kind.windowed)) add("rope_scaling");
    if (!scaling || family.rope_by_layer) add("rope_parameters");
  }

  bool by_layer() const { return by_layer_; }
  // The one that states the key; the last one asked, to name the place of a missing key.
  const JsonConfig& with(const std::string& key) const {
    for (const JsonConfig& object : objects_) {
      if (object.has(key)) return object;
    }
    return objects_.empty() ? config_ : objects_.back();
  }
  bool has(const std::string& key) const { return !objects_.empty() && with(key).has(key); }
  Rational exact(const std::string& key, double low = kLeast, double high = kMost) const {
    return with(key).exact(key, low, high);
  }
  Rational exact_or(const std::string& key, const Rational& by_default) const {
    return has(key) ? exact(key) : by_default;
  }

 private:
  const JsonConfig& config_;
  std::vector<JsonConfig> objects_;
  bool by_layer_ = false;
};

struct Rotation {
  EncodingText& text;
  const JsonConfig& config;
  const Family& family;
  const RopeKeys& keys;
  int head_dim;  // coordinates of a head
  int turned;    // of those, the first ones that turn

  std::string frequency() const { return "base^(-2*j/" + std::to_string(turned) + ")"; }

  // The angle of block j < turned/2; the others stay.
  void set_angle(const std::string& angle) const {
    text.angle = turned == head_dim ? angle : "if(2*j < " + std::to_string(turned) + ", " + angle + ", 0)";
  }

  // cos and sin are both multiplied by the root of this: the content of what turns.
  void scale_by(const std::string& factor) const {
    if (turned == head_dim) {
      text.gains.push_back(factor);
    } else {
      text.scale = "if(2*j < " + std::to_string(turned) + ", " + factor + ", 1)";
    }
  }

  Rational longest() const { return config.exact("max_position_embeddings", 1, kMost); }

  Rational original() const {
    const std::string key = "original_max_position_embeddings";
    if (!keys.by_layer() && config.has(key)) return config.exact(key, 1, kMost);
    if (!keys.by_layer() && family.type == "phi3") return Rational(4096);
    return keys.has(key) ? keys.exact(key, 1) : longest();
  }

  Rational factor_or_lengths() const {
    return keys.has("factor") ? keys.exact("factor") : longest() / original();
  }

  void add_factor(const Rational& factor) const {
    text.parameter("factor", factor, "factor > 0", "new length over training length");
  }
  void add_train(const Rational& train) const {
    text.parameter("train", train, "train > 1", "training length in tokens");
  }
};

void linear(const Rotation& r) {
  r.add_factor(r.keys.exact("factor"));
  r.set_angle(r.frequency() + "*n/factor");
}

void dynamic(const Rotation& r) {
  if (r.turned < 4)
    throw theory::SpecError(r.config.source() + ": rope_type 'dynamic' turns " + std::to_string(r.turned) +
                            " coordinates; expected 4 or more");
  r.add_factor(r.keys.exact("factor"));
  r.add_train(r.longest());
  r.set_angle(r.frequency() + "*(factor*max(1, (L + 1)/train) - factor + 1)^(-2*j/" +
              std::to_string(r.turned - 2) + ")*n");
}

void llama3(const Rotation& r) {
  r.add_factor(r.keys.exact("factor"));
  r.add_train(r.original());
  r.text.parameter("low", r.keys.exact("low_freq_factor"), "low > 0",
                   "turns over it below which a block is slowed");
  r.text.parameter("high", r.keys.exact("high_freq_factor"), "high >= low",
                   "turns over it above which a block is kept");
  const std::string w = r.frequency();
  r.set_angle(w + "*n*if(train*" + w + " > 2*pi*high, 1, if(train*" + w +
              " < 2*pi*low, 1/factor, (1 - 1/factor)*(train*" + w +
              "/(2*pi) - low)/(high - low) + 1/factor))");
}

// Nothing for 1.
std::optional<std::string> yarn_factor(const Rotation& r, const Rational& factor) {
  const RopeKeys& keys = r.keys;
  if (keys.has("attention_factor")) {
    const Rational stated = keys.exact("attention_factor");
    if (stated == Rational(1)) return std::nullopt;
    r.text.parameter("attention_factor", stated, "attention_factor > 0", "of cos and of sin");
    return "attention_factor^2";
  }
  if (factor <= Rational(1)) return std::nullopt;
  const auto scale = [&](const char* key) { return keys.has(key) ? keys.exact(key, 0) : Rational(0); };
  const Rational mscale = scale("mscale");
  const Rational all = scale("mscale_all_dim");
  if (mscale.is_zero() || all.is_zero()) return "(log(factor)/10 + 1)^2";
  if (mscale == all) return std::nullopt;
  return "((" + mscale.str() + "*log(factor)/10 + 1)/(" + all.str() + "*log(factor)/10 + 1))^2";
}

void yarn(const Rotation& r) {
  const RopeKeys& keys = r.keys;
  const Rational factor = r.factor_or_lengths();
  r.add_factor(factor);
  r.add_train(r.original());
  r.text.parameter("beta_fast", keys.exact_or("beta_fast", 32), "beta_fast > 0",
                   "turns over it from which a block is kept");
  r.text.parameter("beta_slow", keys.exact_or("beta_slow", 1), "0 < beta_slow < beta_fast",
                   "turns over it up to which a block is slowed");
  const bool truncate = !keys.has("truncate") || keys.with("truncate").flag("truncate");
  const std::string w = r.frequency();
  const std::string turned = std::to_string(r.turned);
  const auto block_of = [&](const std::string& beta) {
    return turned + "*log(train/(2*pi*" + beta + "))/(2*log(base))";
  };
  const std::string fast = block_of("beta_fast");
  const std::string slow = block_of("beta_slow");
  const std::string low = "max(0, " + (truncate ? "floor(" + fast + ")" : fast) + ")";
  const std::string high =
      "min(" + std::to_string(r.turned - 1) + ", " + (truncate ? "-floor(-" + slow + ")" : slow) + ")";
  r.set_angle(w + "*n*if(j = 0, 1, if(train*" + w + " >= 2*pi*beta_fast, 1, if(train*" + w +
              " <= 2*pi*beta_slow, 1/factor, 1 - (1 - 1/factor)*(j - " + low + ")/(" + high + " - " + low +
              "))))");
  if (const auto scale = yarn_factor(r, factor)) r.scale_by(*scale);
  if (r.family.latent && keys.has("mscale_all_dim") && factor > Rational(1)) {
    const Rational all = keys.exact("mscale_all_dim", 0);
    if (!all.is_zero()) r.text.gains.push_back("(" + all.str() + "*log(factor)/10 + 1)^2");
  }
}

void longrope(const Rotation& r) {
  const RopeKeys& keys = r.keys;
  const Rational factor = r.factor_or_lengths();
  const Rational train = r.original();
  r.add_factor(factor);
  r.add_train(train);
  for (const char* name : {"short", "long"}) {
    const std::string key = std::string(name) + "_factor";
    const std::vector<Rational> values = keys.with(key).exact_list(key, kLeast, kMost);
    if (static_cast<int>(values.size()) != r.turned / 2) {
      keys.with(key).fail(key, std::to_string(r.turned / 2) + " numbers, one for each block of " +
                                   std::to_string(r.turned) + " coordinates that turn");
    }
    r.text.tables.push_back({name, values, "j"});
  }
  r.set_angle(r.frequency() + "*n/if(L + 1 <= train, short(j), long(j))");
  if (keys.has("attention_factor")) {
    r.text.parameter("attention_factor", keys.exact("attention_factor"), "attention_factor > 0",
                     "of cos and of sin");
    r.scale_by("attention_factor^2");
  } else if (factor > Rational(1)) {
    r.scale_by("(1 + log(factor)/log(train))");
  }
}

// Frequencies are those of the whole head; the last ones are 0.
void proportional(const Rotation& r, const Rational& fraction) {
  const Rational half = fraction * Rational(r.turned) / Rational(2);
  r.add_factor(r.keys.exact_or("factor", 1));
  r.text.angle = "if(j < " + half.floor().str() + ", " + r.frequency() + "*n/factor, 0)";
}

void length_temperature(const Rotation& r) {
  r.text.parameter("temperature", r.keys.exact("llama_4_scaling_beta", 0), "temperature >= 0",
                   "strength of the temperature by length");
  r.text.gains.push_back("(1 + temperature*log(1 + floor(L/train)))");
}

// partial_rotary_factor, or what the family calls it.
Rational fraction_of(const JsonConfig& config, const Family& family, const RopeKeys& keys) {
  const std::string key = "partial_rotary_factor";
  if (keys.has(key)) return keys.exact(key, 0, 1);
  const std::string outside = family.type == "gpt_neox" ? "rotary_pct" : key;
  return config.has(outside) ? config.exact(outside, 0, 1) : *Rational::parse(family.fraction);
}

Rational base_of(const JsonConfig& config, const Family& family, const LayerKind& kind,
                 const RopeKeys& keys) {
  if (keys.has("rope_theta")) return keys.exact("rope_theta");
  const bool local = family.rope_by_layer && kind.windowed;
  const std::string by_default = local && !family.local_base.empty() ? family.local_base : family.base;
  const std::string key = family.type == "gpt_neox"      ? "rotary_emb_base"
                          : !local                       ? "rope_theta"
                          : family.type == "gemma3_text" ? "rope_local_base_freq"
                                                         : "";
  return config.has(key) ? config.exact(key, kLeast, kMost) : *Rational::parse(by_default);
}

int rotary_dim(const JsonConfig& config, int head_dim) {
  if (config.has("rotary_dim")) return static_cast<int>(config.integer("rotary_dim", 2, head_dim));
  return config.is_null("rotary_dim") ? head_dim : 64;
}

}  // namespace

void add_rotation(EncodingText& text, const JsonConfig& config, const Family& family, const LayerKind& kind,
                  int head_dim) {
  const RopeKeys keys(config, family, kind);
  const bool by_dim = family.type == "gptj" || family.type == "codegen";
  const int whole =
      family.latent ? static_cast<int>(config.integer("qk_rope_head_dim", 2, head_dim)) : head_dim;
  const Rational fraction = by_dim ? Rational(1) : fraction_of(config, family, keys);
  const std::string type_key = keys.has("rope_type") ? "rope_type" : "type";
  std::string type = keys.has(type_key) && !by_dim ? keys.with(type_key).text(type_key) : "default";
  if (family.type == "phi3" && (type == "su" || type == "yarn")) type = "longrope";
  int turned = by_dim ? rotary_dim(config, head_dim)
                      : static_cast<int>(*(fraction * Rational(whole)).floor().to_int64());
  if (type == "proportional") turned = whole;
  if (turned == 0) return;
  if (turned % 2 != 0) {
    throw theory::SpecError(config.source() + ": " + std::to_string(turned) + " of " +
                            std::to_string(head_dim) +
                            " coordinates turn (partial_rotary_factor); expected an even number");
  }
  text.interleaved = family.interleaved;
  text.parameter("base", by_dim ? Rational(10000) : base_of(config, family, kind, keys), "base > 1",
                 "rotation base");
  const Rotation rotation{text, config, family, keys, head_dim, turned};
  if (keys.has("mrope_section"))
    keys.with("mrope_section").fail("mrope_section", "positions in one dimension");
  if (type == "default") {
    rotation.set_angle(rotation.frequency() + "*n");
  } else if (type == "linear") {
    linear(rotation);
  } else if (type == "dynamic") {
    dynamic(rotation);
  } else if (type == "llama3") {
    llama3(rotation);
  } else if (type == "yarn") {
    yarn(rotation);
  } else if (type == "longrope") {
    longrope(rotation);
  } else if (type == "proportional") {
    proportional(rotation, fraction);
  } else {
    keys.with(type_key).fail(type_key,
                             "one of default, linear, dynamic, yarn, longrope, llama3, proportional");
  }
  if (family.length_temperature) length_temperature(rotation);
}

}  // namespace gpe::checks
