#include "checks/configs/config_rope.h"
// Tests: tests/checks/config_test.py
#include <algorithm>
#include <optional>

#include "theory/expression/spec_error.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr double kMax = 1e12;
constexpr double kLeast = 1e-6;

// Where the keys of a rotation are looked for, and in which order.
class RopeKeys {
 public:
  RopeKeys(const JsonConfig& config, const Family& family, const LayerKind& kind) : config_(config) {
    if (family.rope == RopeHome::nested) {
      add_nested(family, kind);
      return;
    }
    const bool layered = family.rope == RopeHome::by_layer;
    const auto add = [&](const char* key) {
      if (!config.has(key)) return;
      JsonConfig object = config.object(key);
      by_layer_ = object.is_object(kind.type) || (layered && std::string(key) == "rope_parameters");
      if (object.is_object(kind.type)) object = object.object(kind.type);
      if (!by_layer_ || config.object(key).is_object(kind.type)) objects_.push_back(object);
    };
    const bool scaling = config.has("rope_scaling") && !config.object("rope_scaling").keys().empty();
    if (scaling && !(layered && kind.windowed && family.type != "modernbert-decoder")) add("rope_scaling");
    if (!scaling || layered) add("rope_parameters");
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
  Rational exact(const std::string& key, double low = kLeast, double high = kMax) const {
    return with(key).exact(key, low, high);
  }
  Rational exact_or(const std::string& key, const Rational& by_default) const {
    return has(key) ? exact(key) : by_default;
  }

 private:
  void add_nested(const Family& family, const LayerKind& kind) {
    by_layer_ = true;
    const bool states =
        config_.has("rope_parameters") && config_.object("rope_parameters").is_object(kind.type);
    if (states || family.type != "step3p5") {
      objects_.push_back(config_.object("rope_parameters").object(kind.type));
    } else if (!kind.windowed && config_.has("rope_scaling")) {
      objects_.push_back(config_.object("rope_scaling"));
    }
  }

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
  int exponent;  // what 2j is divided by in the frequency

  std::string frequency() const { return "base^(-2*j/" + std::to_string(exponent) + ")"; }

  // The angle of block j < turned/2; the others stay.
  void set_angle(const std::string& forward) const {
    const std::string angle = family.backward ? "-(" + forward + ")" : forward;
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

  Rational longest() const {
    return config.exact(
        first_key(config, {"max_position_embeddings", "n_positions", "max_seq_len", "model_max_length"}), 1,
        kMax);
  }

  Rational original() const {
    const std::string key = "original_max_position_embeddings";
    if (!keys.by_layer() && config.has(key)) return config.exact(key, 1, kMax);
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
  if (r.family.type.starts_with("hunyuan") && r.keys.has("alpha")) {
    r.text.parameter("stretch", r.keys.exact("alpha"), "stretch > 0",
                     "alpha: the base times its d/(d - 2)-th power");
    r.set_angle("(base*stretch^(" + Rational(r.turned, r.turned - 2).str() + "))^(-2*j/" +
                std::to_string(r.turned) + ")*n");
    return;
  }
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
  const Rational slowest = keys.exact_or("beta_slow", 1);
  if (r.original() < Rational(44, 7) * slowest)  // transformers' ramp would run backwards, and keep all
    keys.with("beta_slow").fail("beta_slow", "at most 7/44 of the training length, as block 0 turns");
  r.text.parameter("beta_fast", keys.exact_or("beta_fast", 32), "beta_fast > 0",
                   "turns over it from which a block is kept");
  r.text.parameter("beta_slow", slowest, "0 < beta_slow < beta_fast",
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
  if (r.family.mscale && keys.has("mscale_all_dim") && factor > Rational(1)) {
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
    const std::vector<Rational> values = keys.with(key).exact_list(key, kLeast, kMax);
    if (static_cast<int>(values.size()) != r.turned / 2) {
      keys.with(key).fail(key, std::to_string(r.turned / 2) + " numbers, one for each block of " +
                                   std::to_string(r.turned) + " coordinates that turn");
    }
    r.text.tables.push_back({name, values, "j"});
  }
  if (r.family.type == "phimoe") {  // its code never looks at the long factors
    r.text.tables.pop_back();
    r.set_angle(r.frequency() + "*n/short(j)");
    r.scale_by("if(L + 1 <= train, " + keys.exact("short_mscale").str() + ", " +
               keys.exact("long_mscale").str() + ")^2");
    return;
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
  const auto named = [](const EncodingText::Parameter& one) { return one.name == "train"; };
  if (std::ranges::none_of(r.text.parameters, named)) r.add_train(r.original());
  r.text.parameter("temperature", r.keys.exact("llama_4_scaling_beta", 0), "temperature >= 0",
                   "strength of the temperature by length");
  r.text.gains.push_back("(1 + temperature*log(1 + floor(L/train)))");
}

// partial_rotary_factor, or what the family calls it. The code of the plain rotation reads it in some
// families alone.
Rational fraction_of(const JsonConfig& config, const Family& family, const LayerKind& kind,
                     const RopeKeys& keys, const std::string& type, int head_dim) {
  const std::string key = "partial_rotary_factor";
  if (family.latent || (type == "default" && !config.has("reads_partial_rotary_factor"))) return Rational(1);
  if (keys.has(key)) return keys.exact(key, 0, 1);
  if (!kind.fraction.empty()) return *Rational::parse(kind.fraction);
  if (family.rope == RopeHome::nested) return Rational(1);
  if (family.type == "bamba") return Rational(1, 2);
  const bool neox = family.type.starts_with("gpt_neox") && config.has("rotary_pct");
  if (family.type == "minimax_m2" && config.has("rotary_dim") && !config.has(key))
    return Rational(config.integer("rotary_dim", 2, head_dim), head_dim);
  const std::string outside = neox ? "rotary_pct" : key;
  return config.has(outside) ? config.exact(outside, 0, 1) : Rational(1);
}

// What the class has where no key states the base; "global" or "local" where layers differ.
Rational default_base(const JsonConfig& config, bool local) {
  if (!config.has("default_theta")) return Rational(10000);
  if (!config.is_object("default_theta")) return config.exact("default_theta", kLeast, kMax);
  return config.object("default_theta").exact(local ? "local" : "global", kLeast, kMax);
}

Rational base_of(const JsonConfig& config, const Family& family, const LayerKind& kind,
                 const RopeKeys& keys) {
  if (!kind.base.empty()) return *Rational::parse(kind.base);
  if (keys.has("rope_theta")) return keys.exact("rope_theta");
  const bool local = family.rope == RopeHome::by_layer && kind.windowed;
  std::string key = "rope_theta";
  if (family.type == "roformer" || (local && family.type == "olmo3")) return default_base(config, local);
  if (family.type.starts_with("gpt_neox")) key = "rotary_emb_base";
  if (local) key = "rope_local_base_freq";
  if (family.type == "modernbert-decoder") key = local ? "local_rope_theta" : "global_rope_theta";
  return config.has(key) ? config.exact(key, kLeast, kMax) : default_base(config, local);
}

int rotary_dim(const JsonConfig& config, int head_dim) {
  if (config.has("rotary_dim")) return static_cast<int>(config.integer("rotary_dim", 2, head_dim));
  return config.is_null("rotary_dim") ? head_dim : 64;
}

}  // namespace

void add_rotation(EncodingText& text, const JsonConfig& config, const Family& family, const LayerKind& kind) {
  const RopeKeys keys(config, family, kind);
  const int head_dim = kind.head_dim;
  const bool by_dim = family.type == "gptj" || family.type == "codegen" || family.type == "roformer";
  const int whole = family.latent ? kind.rotary_dim : head_dim;
  const std::string type_key = keys.has("rope_type") ? "rope_type" : "type";
  std::string type = keys.has(type_key) && !by_dim ? keys.with(type_key).text(type_key) : "default";
  if (family.type.starts_with("phi") && (type == "su" || type == "yarn") && family.type != "phi")
    type = "longrope";
  if (type == "mrope" && family.type.starts_with("qwen2")) type = "default";  // for text, one dimension
  if (type == "xdrope" && family.type == "hunyuan_vl_text") type = "dynamic";
  const Rational fraction = by_dim ? Rational(1) : fraction_of(config, family, kind, keys, type, head_dim);
  int turned = by_dim && family.type != "roformer"
                   ? rotary_dim(config, head_dim)
                   : static_cast<int>(*(fraction * Rational(whole)).floor().to_int64());
  if (type == "proportional") turned = whole;
  if (turned == 0) return;
  // The plain rotation takes as many frequencies as fit when the number is odd, and turns one coordinate
  // more.
  const int exponent = turned;
  if (type == "default" && turned % 2 != 0 && turned < head_dim) ++turned;
  if (turned % 2 != 0) {
    throw theory::SpecError(config.source() + ": " + std::to_string(turned) + " of " +
                            std::to_string(head_dim) +
                            " coordinates turn (partial_rotary_factor); expected an even number");
  }
  text.interleaved = family.interleaved;
  text.turned = turned;
  text.parameter("base", by_dim ? Rational(10000) : base_of(config, family, kind, keys), "base > 1",
                 "rotation base");
  const Rotation rotation{text, config, family, keys, head_dim, turned, exponent};
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
