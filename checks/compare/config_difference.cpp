#include "checks/compare/config_difference.h"

#include <algorithm>
#include <map>

#include "checks/arb/expr_ball.h"
#include "theory/expression/expr_print.h"
#include "theory/expression/spec_error.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;
using theory::ScoreFunction;

namespace {

constexpr long kBits = 96;

// The law of one head, its parameters replaced by their values.
ScoreFunction law_of(const ConfigEncoding& encoding, const theory::Setting& setting) {
  const BallOracle oracle;
  return at_values(instantiate(encoding.parsed(), setting, {}, oracle));
}

// What multiplies the content of each block, and how far it turns a token. Angles of config.json files are
// frequencies times n.
struct Blocks {
  std::vector<Ball> factors;
  std::vector<Ball> frequencies;
};

Blocks blocks_of(const ScoreFunction& law, std::int64_t length) {
  const auto at = [&](const Expr& e, int j) {
    return evaluate(substitute(substitute(substitute(e, "j", Expr(j)), theory::kLength, Expr(length)),
                               theory::kIndex, Expr(1)),
                    {}, kBits);
  };
  Blocks result;
  const bool turns =
      law.transform == theory::Transform::rotation || law.transform == theory::Transform::scaled_rotation;
  for (int j = 0; j < law.head_dim / 2; ++j) {
    Ball factor = at(law.gain, j);
    if (law.transform == theory::Transform::scaled_rotation)
      factor = mul(factor, at(law.rotation.scale, j), kBits);
    result.factors.push_back(std::move(factor));
    result.frequencies.push_back(turns ? at(law.rotation.angle, j) : Ball(0));
  }
  return result;
}

bool same_frequencies(const ScoreFunction& a, const ScoreFunction& b) {
  return a.transform == b.transform && to_text(a.rotation.angle) == to_text(b.rotation.angle);
}

// |f e^(i a n) - g e^(i b n)|, the largest over blocks: the norm of the difference of both matrices.
Ball matrix_difference(const Blocks& a, const Blocks& b, std::int64_t n, bool turn_alike, bool pairs_alike) {
  Ball largest(0);
  for (std::size_t j = 0; j < a.factors.size(); ++j) {
    Ball one;
    if (!pairs_alike) {
      one = add(abs(a.factors[j]), abs(b.factors[j]), kBits);
    } else if (turn_alike) {
      one = abs(sub(a.factors[j], b.factors[j], kBits));
    } else {
      // (f - g)^2 + 4 f g sin^2((a - b) n/2)
      const Ball half =
          mul(sub(a.frequencies[j], b.frequencies[j], kBits), Ball(Rational(n, 2), kBits), kBits);
      const Ball s = sin(half, kBits);
      const Ball d = sub(a.factors[j], b.factors[j], kBits);
      const Ball product = mul(mul(a.factors[j], b.factors[j], kBits), mul(s, s, kBits), kBits);
      const Ball square = add(mul(d, d, kBits), mul(Ball(4), product, kBits), kBits);
      one = sqrt(max(square, Ball(0), kBits), kBits);
    }
    largest = max(largest, one, kBits);
  }
  return largest;
}

struct Pair {
  ScoreFunction first;
  ScoreFunction second;
};

std::int64_t farthest_common(const Pair& laws, std::int64_t length) {
  std::int64_t last = length;
  for (const ScoreFunction* law : {&laws.first, &laws.second}) {
    if (law->window) last = std::min(last, *law->window - 1);
  }
  return last;
}

bool depends_on_length(const ScoreFunction& law) {
  return law.depends_on_length() || law.rotation.angle.mentions(theory::kLength) ||
         law.rotation.scale.mentions(theory::kLength);
}

// The parts of one kind of layers as they are printed: parameters, then the formula.
std::map<std::string, std::string> parts_of(const ConfigEncoding* encoding) {
  std::map<std::string, std::string> parts;
  if (encoding == nullptr) return {{"attention", "none"}};
  parts["heads"] = std::to_string(encoding->heads);
  parts["heads of keys"] = std::to_string(encoding->key_heads);
  parts["head dimension"] = std::to_string(encoding->head_dim);
  const theory::Encoding parsed = encoding->parsed();
  const ScoreFunction law = law_of(*encoding, encoding->settings().front());
  for (const theory::Parameter& parameter : parsed.parameters) {
    std::string text;
    for (const auto& row : parameter.values) {
      for (const Expr& value : row) text += (text.empty() ? "" : ", ") + to_text(value);
    }
    parts[parameter.name] = text;
  }
  parts["gain"] = to_text(parsed.gain);
  parts["bias"] = to_text(parsed.bias);
  parts["window"] = law.window ? std::to_string(*law.window) + " keys" : "none";
  parts["sink"] = law.sink ? "yes" : "none";
  parts["soft cap"] = parsed.softcap ? to_text(*parsed.softcap) : "none";
  const bool turns = law.transform != theory::Transform::identity && law.transform != theory::Transform::none;
  parts["angle"] = turns ? to_text(parsed.rotation.angle) : "none";
  if (turns) parts["pairs"] = parsed.rotation.layout == theory::Layout::half ? "halves" : "neighbours";
  if (law.transform == theory::Transform::scaled_rotation) parts["scale"] = to_text(parsed.rotation.scale);
  return parts;
}

std::vector<PartDifference> part_differences(const ConfigEncoding* first, const ConfigEncoding* second) {
  const auto a = parts_of(first);
  const auto b = parts_of(second);
  std::vector<PartDifference> result;
  const auto at = [](const std::map<std::string, std::string>& parts, const std::string& what) {
    const auto found = parts.find(what);
    return found == parts.end() ? std::string("none") : found->second;
  };
  if (first == nullptr || second == nullptr) {
    if (first != second)
      result.push_back({"attention", first ? "softmax" : "none", second ? "softmax" : "none"});
    return result;
  }
  std::map<std::string, std::string> all = a;
  all.insert(b.begin(), b.end());
  for (const auto& [what, ignored] : all) {
    if (at(a, what) != at(b, what)) result.push_back({what, at(a, what), at(b, what)});
  }
  return result;
}

void measure(LayerDifference& difference, const ConfigEncoding& first, const ConfigEncoding& second,
             const std::vector<std::int64_t>& lengths, const Rational& content_bound,
             const Rational& epsilon) {
  if (first.head_dim != second.head_dim || first.heads != second.heads) {
    difference.reason = "heads of other numbers or dimensions have no scores in common";
    return;
  }
  const Ball bound(content_bound, kBits);
  const Ball shown(epsilon, kBits);
  std::vector<Pair> heads;
  const std::vector<theory::Setting> settings = (first.by_head ? first : second).settings();
  heads.reserve(settings.size());
  for (const theory::Setting& setting : settings)
    heads.push_back({law_of(first, setting), law_of(second, setting)});
  const Pair& one = heads.front();
  const bool pairs_alike =
      one.first.rotation.layout == one.second.rotation.layout || one.first.transform != one.second.transform;
  const bool turn_alike = same_frequencies(one.first, one.second);
  difference.at_most = !pairs_alike || one.first.softcap || one.second.softcap;
  const bool moves = depends_on_length(one.first) || depends_on_length(one.second);
  Ball largest(0);
  std::int64_t done = 0;
  Blocks a = blocks_of(one.first, lengths.front());
  Blocks b = blocks_of(one.second, lengths.front());
  for (const std::int64_t length : lengths) {
    if (moves) {
      largest = Ball(0);
      done = 0;
      a = blocks_of(one.first, length);
      b = blocks_of(one.second, length);
    }
    for (std::int64_t n = done; n <= farthest_common(one, length); ++n) {
      Ball here = mul(bound, matrix_difference(a, b, n, turn_alike, pairs_alike), kBits);
      Ball bias(0);
      for (const Pair& head : heads) {
        if (to_text(head.first.bias) == to_text(head.second.bias)) continue;
        const auto at = [&](const ScoreFunction& law) {
          return evaluate(
              substitute(substitute(law.bias, theory::kLength, Expr(length)), theory::kIndex, Expr(n)), {},
              kBits);
        };
        bias = max(bias, abs(sub(at(head.first), at(head.second), kBits)), kBits);
      }
      here = add(here, bias, kBits);
      largest = max(largest, here, kBits);
      if (difference.tokens == 0 && !moves && !difference.at_most && shown.surely_at_most(here))
        difference.tokens = n + 1;
      done = n + 1;
    }
    if (difference.tokens == 0 && moves && !difference.at_most && shown.surely_at_most(largest))
      difference.tokens = length + 1;
    difference.scores.push_back({length, largest});
  }
  const auto window = [](const ScoreFunction& law) { return law.window.value_or(std::int64_t{1} << 62); };
  const std::int64_t least = std::min(window(one.first), window(one.second));
  if (window(one.first) != window(one.second) && least <= lengths.back() &&
      (difference.tokens == 0 || difference.tokens > least + 1))
    difference.tokens = least + 1;
}

const ConfigEncoding* encoding_at(const std::vector<ConfigEncoding>& encodings, int layer) {
  for (const ConfigEncoding& one : encodings) {
    if (std::ranges::find(one.layers, layer) != one.layers.end()) return &one;
  }
  return nullptr;
}

bool same_encodings(const std::vector<ConfigEncoding>& a, const std::vector<ConfigEncoding>& b) {
  return std::ranges::equal(a, b, [](const ConfigEncoding& x, const ConfigEncoding& y) {
    return x.toml == y.toml && x.layers == y.layers && x.all_layers == y.all_layers && x.heads == y.heads &&
           x.key_heads == y.key_heads && x.head_dim == y.head_dim && x.cached == y.cached &&
           x.cached_layers == y.cached_layers;
  });
}

}  // namespace

ConfigDifference config_difference(const std::vector<ConfigEncoding>& first,
                                   const std::vector<ConfigEncoding>& second,
                                   const std::vector<std::int64_t>& lengths, const Rational& content_bound,
                                   const Rational& epsilon) {
  ConfigDifference result;
  const int layers = std::max(first.front().all_layers, second.front().all_layers);
  std::vector<std::pair<const ConfigEncoding*, const ConfigEncoding*>> kinds;
  for (int layer = 1; layer <= layers; ++layer) {
    const std::pair kind{encoding_at(first, layer), encoding_at(second, layer)};
    const auto known = std::ranges::find(kinds, kind);
    if (known != kinds.end()) {
      const auto place = static_cast<std::size_t>(known - kinds.begin());
      result.layers[place].layers.push_back(layer);
      continue;
    }
    LayerDifference difference;
    difference.layers = {layer};
    difference.first = kind.first != nullptr ? kind.first->name : "";
    difference.second = kind.second != nullptr ? kind.second->name : "";
    difference.parts = part_differences(kind.first, kind.second);
    if (difference.parts.empty() && (layer > first.front().all_layers || layer > second.front().all_layers))
      difference.parts.push_back(
          {"layers", std::to_string(first.front().all_layers), std::to_string(second.front().all_layers)});
    if (!difference.parts.empty() && kind.first != nullptr && kind.second != nullptr)
      measure(difference, *kind.first, *kind.second, lengths, content_bound, epsilon);
    kinds.push_back(kind);
    result.layers.push_back(std::move(difference));
  }
  std::erase_if(result.layers, [](const LayerDifference& difference) { return difference.parts.empty(); });
  return result;
}

IdleKeys idle_keys(const JsonConfig& config) {
  static const std::vector<std::string> about = {"rope",        "rotary",  "theta",    "window", "attention",
                                                 "attn",        "head",    "position", "alibi",  "softcap",
                                                 "layer_types", "max_len", "scaling"};
  for (const char* part : {"text_config", "llm_config", "language_config", "thinker_config"}) {
    if (!config.is_object(part)) continue;
    const JsonConfig inner = config.object(part);
    return inner.has("model_type") ? idle_keys(inner) : IdleKeys{};
  }
  IdleKeys result;
  const std::vector<ConfigEncoding> whole = encodings_of_config(config);
  for (const std::string& key : config.keys()) {
    if (config.was_asked(key)) {
      if (key == "model_type") continue;
      try {
        if (same_encodings(whole, encodings_of_config(config.without(key))))
          result.change_nothing.push_back(key);
      } catch (const theory::SpecError&) {  // it is needed
      }
    } else if (std::ranges::any_of(
                   about, [&](const std::string& word) { return key.find(word) != std::string::npos; })) {
      result.unread.push_back(key);
    }
  }
  return result;
}

}  // namespace gpe::checks
