#include "checks/configs/config_rope.h"
// Tests: tests/checks/readings_test.py, tests/checks/config_test.py
#include <algorithm>
#include <optional>

#include "checks/configs/rope_keys.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Rational;

namespace {

struct Rotation {
  EncodingText& text;
  const JsonConfig& config;
  const ModelFamily& family;
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
        RopeKeys::kMax);
  }

  Rational original() const { return keys.exact("original_max_position_embeddings", 1); }

  // Null: the longest length over the trained one.
  Rational factor_or_lengths(bool may_be_absent) const {
    const bool absent = may_be_absent ? !keys.has("factor") : keys.contains("factor") && !keys.has("factor");
    return absent ? longest() / original() : keys.exact("factor");
  }

  // PhiMoE: one factor of cos and sin for lengths up to the trained one, one beyond.
  bool by_length() const { return family.type == "phimoe" && keys.type() != "default"; }

  bool states(const char* parameter) const {
    return std::ranges::any_of(text.parameters,
                               [&](const EncodingText::Parameter& one) { return one.name == parameter; });
  }

  // Domains are those of the library's files where the value lies in them: they decide more than the wide
  // ones.
  void add_factor(const Rational& factor) const {
    const char* domain = factor >= Rational(1) ? "factor >= 1" : "factor > 0";
    text.parameter("factor", factor, domain, "new length over training length");
  }
  void add_train(const Rational& train, const Rational& least = 1, const std::string& shown = "1") const {
    const std::string domain = train >= least && least > Rational(1) ? "train >= " + shown : "train > 1";
    text.parameter("train", train, domain, "training length in tokens");
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
  if (r.by_length()) {  // its code asks for those of the trained length
    r.set_angle(r.frequency() + "*n");
    return;
  }
  r.add_factor(r.keys.exact("factor"));
  r.add_train(r.longest());
  r.set_angle(r.frequency() + "*(factor*max(1, (L + 1)/train) - factor + 1)^(-2*j/" +
              std::to_string(r.turned - 2) + ")*n");
}

void llama3(const Rotation& r) {
  const Rational high = r.keys.exact("high_freq_factor");
  r.add_factor(r.keys.exact("factor"));
  r.add_train(r.original(), Rational(7) * high, "7*high");
  r.text.parameter("low", r.keys.exact("low_freq_factor"), "low > 0",
                   "turns over it below which a block is slowed");
  r.text.parameter("high", high, "high >= low", "turns over it above which a block is kept");
  const std::string w = r.frequency();
  const std::string turns = "train*" + w;
  // Between both bounds, high - low is the larger of the two; max says so to readers of the formula, where
  // low = high too.
  r.set_angle(w + "*n*if(" + turns + " >= 2*pi*high, 1, if(" + turns +
              " <= 2*pi*low, 1/factor, (1 - 1/factor)*(" + turns + " - 2*pi*low)/max(2*pi*(high - low), " +
              turns + " - 2*pi*low) + 1/factor))");
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
  const Rational factor = r.factor_or_lengths(false);
  r.add_factor(factor);
  r.add_train(r.original(), 7, "7");
  const Rational slowest = keys.exact_or("beta_slow", 1);
  if (r.original() < Rational(44, 7) * slowest)  // transformers' ramp would run backwards, and keep all
    keys.fail("beta_slow", "at most 7/44 of the training length, as block 0 turns");
  r.text.parameter("beta_fast", keys.exact_or("beta_fast", 32), "beta_fast > 0",
                   "turns over it from which a block is kept");
  r.text.parameter("beta_slow", slowest, "0 < beta_slow < beta_fast",
                   "turns over it up to which a block is slowed");
  const bool truncate = keys.flag_or("truncate", true);
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
  if (r.by_length()) return;
  if (const auto scale = yarn_factor(r, factor)) r.scale_by(*scale);
}

// The code of latent attention asks for it whatever the type is, but for the plain one.
void latent_scale(const Rotation& r) {
  const RopeKeys& keys = r.keys;
  if (!r.family.mscale || keys.type() == "default" || !keys.has("mscale_all_dim")) return;
  const Rational all = keys.exact("mscale_all_dim", 0);
  if (all.is_zero()) return;
  const Rational factor = keys.exact("factor");
  if (factor <= Rational(1)) return;
  if (!r.states("factor")) r.add_factor(factor);
  r.text.gains.push_back("(" + all.str() + "*log(factor)/10 + 1)^2");
}

void longrope(const Rotation& r) {
  const RopeKeys& keys = r.keys;
  const Rational factor = r.factor_or_lengths(true);
  const Rational train = r.original();
  r.add_factor(factor);
  r.add_train(train);
  for (const char* name : {"short", "long"}) {
    const std::string key = std::string(name) + "_factor";
    const std::vector<Rational> values = keys.exact_list(key);
    if (static_cast<int>(values.size()) != r.turned / 2) {
      keys.fail(key, std::to_string(r.turned / 2) + " numbers, one for each block of " +
                         std::to_string(r.turned) + " coordinates that turn");
    }
    r.text.tables.push_back({name, values, "j"});
  }
  if (r.by_length()) {  // its code never looks at the long factors
    r.text.tables.pop_back();
    r.set_angle(r.frequency() + "*n/short(j)");
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

void scale_by_length(const Rotation& r) {
  if (!r.states("train")) r.add_train(r.original());
  r.scale_by("if(L + 1 <= train, " + r.keys.exact("short_mscale").str() + ", " +
             r.keys.exact("long_mscale").str() + ")^2");
}

// Frequencies are those of the whole head; the last ones are 0.
void proportional(const Rotation& r, const Rational& fraction) {
  const Rational half = fraction * Rational(r.turned) / Rational(2);
  r.add_factor(r.keys.exact_or("factor", 1));
  r.text.angle = "if(j < " + half.floor().str() + ", " + r.frequency() + "*n/factor, 0)";
}

void length_temperature(const Rotation& r) {
  if (!r.states("train")) r.add_train(r.original());
  r.text.parameter("temperature", r.keys.exact("llama_4_scaling_beta", 0), "temperature >= 0",
                   "strength of the temperature by length");
  r.text.gains.push_back("(1 + temperature*log(1 + floor(L/train)))");
}

// The code of the plain rotation reads it in some families alone.
Rational fraction_of(const JsonConfig& config, const ModelFamily& family, const RopeKeys& keys) {
  const char* key = "partial_rotary_factor";
  if (keys.type() == "default" && !config.has("reads_partial_rotary_factor")) return 1;
  if (family.type == "mimo_v2_flash" && !keys.contains(key) && keys.type() == "default") return {167, 500};
  return keys.contains(key) ? keys.exact(key, 0, 1) : Rational(1);
}

Rational base_of(const LayerKind& kind, const RopeKeys& keys) {
  return kind.base.empty() ? keys.exact("rope_theta") : *Rational::parse(kind.base);
}

bool interleaved(const JsonConfig& config, const ModelFamily& family) {
  static const std::vector<std::string> by_key = {"axk1",  "deepseek_v3",   "gigachat3_5", "mistral4",
                                                  "youtu", "glm4_moe_lite", "megatron",    "megatron_sink"};
  const char* key = "rope_interleave";
  const bool asked = std::ranges::find(by_key, family.type) != by_key.end() && config.contains(key);
  return family.interleaved && (!asked || (config.has(key) && config.flag(key)));
}

int rotary_dim(const JsonConfig& config, int head_dim) {
  if (config.has("rotary_dim")) return static_cast<int>(config.integer("rotary_dim", 2, head_dim));
  return config.is_null("rotary_dim") ? head_dim : 64;
}

}  // namespace

void add_rotation(EncodingText& text, const JsonConfig& config, const ModelFamily& family,
                  const LayerKind& kind) {
  const RopeKeys keys(config, family, kind);
  const int head_dim = kind.head_dim;
  const bool by_dim = family.type == "gptj" || family.type == "codegen" || family.type == "roformer";
  const int whole = family.latent && family.type != "mistral4" ? kind.rotary_dim : head_dim;
  const std::string type = by_dim ? "default" : keys.type();
  if (family.plain && type != "default")
    keys.fail_type("default: the code of " + family.type + " has no scaled rotations");
  const Rational fraction = by_dim ? Rational(1) : fraction_of(config, family, keys);
  int turned = by_dim && family.type != "roformer"
                   ? rotary_dim(config, head_dim)
                   : static_cast<int>(*(fraction * Rational(whole)).floor().to_int64());
  const bool by_alpha = type == "dynamic" && family.type.starts_with("hunyuan") && keys.has("alpha");
  if (type == "proportional" || by_alpha) turned = whole;
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
  text.interleaved = interleaved(config, family);
  text.turned = turned;
  text.parameter("base", by_dim ? Rational(10000) : base_of(kind, keys), "base > 1", "rotation base");
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
    keys.fail_type("one of default, linear, dynamic, yarn, longrope, llama3, proportional");
  }
  if (rotation.by_length()) scale_by_length(rotation);
  latent_scale(rotation);
  if (family.length_temperature) length_temperature(rotation);
}

}  // namespace gpe::checks
