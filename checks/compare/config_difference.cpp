#include "checks/compare/config_difference.h"
// Tests: tests/cli/compare_configs.cmake
#include <algorithm>
#include <map>
#include <optional>

#include "checks/arb/expr_ball.h"
#include "checks/compare/pair_norm.h"
#include "checks/content/score_at.h"
#include "theory/expression/expr_print.h"
#include "theory/score/score_function.h"
#include "theory/source/spec_error.h"
#include "theory/source/table.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;
using theory::ScoreFunction;

namespace {

constexpr long kBits = 96;

// The law of one head, its parameters replaced by their values.
ScoreFunction law_of(const ConfigEncoding& encoding, const theory::Setting& setting) {
  return at_values(instantiate(encoding.parsed(), setting, {}, ball_context()));
}

Blocks blocks_of(const ScoreFunction& law, std::int64_t length) {
  const auto at = [&](const Expr& e, int j) {
    return evaluate(substitute(substitute(substitute(e, "j", Expr(j)), theory::kLength, Expr(length)),
                               theory::kIndex, Expr(1)),
                    {}, kBits);
  };
  Blocks result;
  if (law.softcap) result.cap = abs(mul(at(law.gain, 0), at(*law.softcap, 0), kBits));
  for (int j = 0; j < law.head_dim / 2; ++j) {
    Ball factor = at(law.gain, j);
    if (law.transform == theory::Transform::scaled_rotation)
      factor = mul(factor, at(law.rotation.scale, j), kBits);
    result.factors.push_back(std::move(factor));
    result.frequencies.push_back(law.turns() ? at(law.rotation.angle, j) : Ball(0));
  }
  return result;
}

bool same_frequencies(const ScoreFunction& a, const ScoreFunction& b) {
  return a.transform == b.transform && a.rotation.angle == b.rotation.angle;
}

// |f e^(i a n) - g e^(i b n)|, the largest over blocks: the norm of the difference of both matrices.
Ball matrix_difference(const Blocks& a, const Blocks& b, std::int64_t n, bool turn_alike, bool pairs_alike) {
  if (!pairs_alike) return add(a.norm(kBits), b.norm(kBits), kBits);
  Ball largest(0);
  for (std::size_t j = 0; j < a.factors.size(); ++j) {
    Ball one;
    if (turn_alike) {
      one = abs(sub(a.factors[j], b.factors[j], kBits));
    } else {
      // (f - g)^2 + 4 f g sin^2((a - b) n/2)
      const Ball half =
          mul(sub(a.frequencies[j], b.frequencies[j], kBits), Ball(Rational(n, 2), kBits), kBits);
      const Ball s = sin(half, kBits);
      const Ball d = sub(a.factors[j], b.factors[j], kBits);
      const Ball product = mul(mul(a.factors[j], b.factors[j], kBits), mul(s, s, kBits), kBits);
      const Ball square = add(mul(d, d, kBits), mul(Ball(4), product, kBits), kBits);
      // A square: where rounding leaves its sign open, it begins at 0.
      one = sqrt(square.surely_positive() ? square : Ball::hull(Ball(0), square.upper(kBits), kBits), kBits);
    }
    largest = max(largest, one, kBits);
  }
  return largest;
}

// By how much soft caps S and S' move a content of size x or less apart: x is where S tanh(x/S) and
// S' tanh(x/S') are farthest apart.
Ball cap_difference(const Blocks& a, const Blocks& b, const Ball& bound) {
  if (!a.cap && !b.cap) return Ball(0);
  const Ball x = mul(bound, min(a.norm(kBits), b.norm(kBits), kBits), kBits);
  const auto of = [&](const Blocks& blocks) { return blocks.cap ? capped(x, *blocks.cap, kBits) : x; };
  return abs(sub(of(a), of(b), kBits));
}

// Whether the same coordinates of a head turn together.
bool same_pairs(const ConfigEncoding& first, const ConfigEncoding& second, const ScoreFunction& a,
                const ScoreFunction& b) {
  if (!a.turns() || !b.turns()) return true;
  if (a.rotation.layout != b.rotation.layout || first.turned_last != second.turned_last) return false;
  const bool neighbours = a.rotation.layout == theory::Layout::interleaved && !first.turned_last;
  return neighbours || first.turned == second.turned;
}

// tanh(δ/2), where both see the same keys and sinks; otherwise no more is said than that of all
// distributions.
Ball weights_apart(const Ball& delta, bool same_keys) {
  if (!same_keys) return Ball(1);
  const Ball grown = exp(delta, kBits);
  return div(sub(grown, Ball(1), kBits), add(grown, Ball(1), kBits), kBits);
}

struct LawPair {
  ScoreFunction first;
  ScoreFunction second;
};

std::int64_t window(const ScoreFunction& law) { return law.window.value_or(std::int64_t{1} << 62); }

bool uncapped(const LawPair& laws) { return !laws.first.softcap && !laws.second.softcap; }

// The tokens of a prompt with a query at this distance from a key. The weight of a single key is 1, whatever
// its score is, unless a sink stands beside it.
std::int64_t tokens_at(const LawPair& laws, std::int64_t distance) {
  const bool alone = !laws.first.sink && !laws.second.sink;
  return std::max<std::int64_t>(distance + 1, alone ? 2 : 1);
}

std::int64_t farthest_common(const LawPair& laws, std::int64_t length) {
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

// Whether a query sees the keys of its chunk: chunks of one key are windows of one.
bool in_chunks(const ConfigEncoding& encoding, const ScoreFunction& law) {
  return encoding.chunked && law.window.value_or(1) > 1;
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
  for (const auto& [name, table] : parsed.tables) {
    parts["rows of " + name] = std::to_string(table->values.size());
    for (std::size_t i = 0; i < table->values.size() && !encoding->learned_bias; ++i)
      parts[name + " " + std::to_string(table->first_index + static_cast<std::int64_t>(i))] =
          to_text(Expr(table->values[i]));
  }
  parts["gain"] = to_text(parsed.gain);
  parts["bias"] = to_text(parsed.bias);
  parts["window"] = "none";
  if (law.window)
    parts["window"] = (in_chunks(*encoding, law) ? "chunks of " : "") + std::to_string(*law.window) + " keys";
  parts["keys"] = encoding->kept.empty() ? "all that are visible" : encoding->kept;
  std::string norms = "none";
  if (!encoding->content_bound.empty()) norms = "B = " + encoding->content_bound + " with weights 1";
  if (!encoding->caveat.empty()) norms += ", after the rotation";
  parts["norms of queries and keys"] = norms;
  parts["sink"] = law.sink ? "yes" : "none";
  parts["soft cap"] = parsed.softcap ? to_text(*parsed.softcap) : "none";
  parts["angle"] = law.turns() ? to_text(parsed.rotation.angle) : "none";
  if (law.turns()) {
    parts["pairs"] = parsed.rotation.layout == theory::Layout::half ? "halves" : "neighbours";
    if (encoding->turned != encoding->head_dim)
      parts["pairs"] += std::string(encoding->turned_last ? " of the last " : " of the first ") +
                        std::to_string(encoding->turned);
  }
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

// Empty where both have scores to compare.
std::string why_no_scores(const ConfigEncoding& first, const ConfigEncoding& second) {
  if (first.head_dim != second.head_dim || first.heads != second.heads)
    return "heads of other numbers or dimensions have no scores in common";
  const auto bias = [](const ConfigEncoding& one) { return law_of(one, one.settings().front()).bias; };
  if ((first.learned_bias || second.learned_bias) && bias(first) != bias(second))
    return "the values of the bias are learned, and not in the config";
  return "";
}

void measure(LayerDifference& difference, const ConfigEncoding& first, const ConfigEncoding& second,
             const std::vector<std::int64_t>& lengths, const Rational& content_bound,
             const Rational& epsilon) {
  difference.reason = why_no_scores(first, second);
  if (!difference.reason.empty()) return;
  const Ball bound(content_bound, kBits);
  const Ball shown(epsilon, kBits);
  std::vector<LawPair> heads;
  const std::vector<theory::Setting> settings = (first.by_head ? first : second).settings();
  heads.reserve(settings.size());
  for (const theory::Setting& setting : settings)
    heads.push_back({law_of(first, setting), law_of(second, setting)});
  const LawPair& one = heads.front();
  const bool pairs_alike = same_pairs(first, second, one.first, one.second);
  const bool turn_alike = same_frequencies(one.first, one.second);
  const bool same_matrix = pairs_alike && turn_alike && one.first.gain == one.second.gain &&
                           one.first.rotation.scale == one.second.rotation.scale;
  difference.at_most = !pairs_alike || ((one.first.softcap || one.second.softcap) && !same_matrix);
  const bool moves = depends_on_length(one.first) || depends_on_length(one.second);
  const Pairing first_pairs = pairing_of(first, one.first);
  const Pairing second_pairs = pairing_of(second, one.second);
  const auto at_least = [&](const Blocks& x, const Blocks& y, std::int64_t n) {
    return mul(bound, singular_value_at_least(x, first_pairs, y, second_pairs, n, kBits), kBits);
  };
  Ball largest(0);
  Ball least_largest(0);
  std::int64_t done = 0;
  Blocks a = blocks_of(one.first, lengths.front());
  Blocks b = blocks_of(one.second, lengths.front());
  const bool same_caps = one.first.softcap == one.second.softcap && one.first.gain == one.second.gain;
  Ball caps = same_caps ? Ball(0) : cap_difference(a, b, bound);
  const std::int64_t least = std::min(window(one.first), window(one.second));
  // A chunk sees what a window of its size does up to its border, and one key after it.
  const bool windows_differ =
      window(one.first) != window(one.second) || in_chunks(first, one.first) != in_chunks(second, one.second);
  const bool same_sinks =
      std::ranges::all_of(heads, [](const LawPair& head) { return head.first.sink == head.second.sink; });
  const auto lower_bound = [&](std::int64_t n, const Ball& here, const Ball& bias) {
    if (!difference.at_most) return here;
    return !pairs_alike && uncapped(one) ? add(at_least(a, b, n), bias, kBits) : Ball(0);
  };
  for (const std::int64_t length : lengths) {
    if (moves) {
      largest = Ball(0);
      least_largest = Ball(0);
      done = 0;
      a = blocks_of(one.first, length);
      b = blocks_of(one.second, length);
      if (!same_caps) caps = cap_difference(a, b, bound);
    }
    for (std::int64_t n = done; n <= farthest_common(one, length); ++n) {
      Ball here = add(mul(bound, matrix_difference(a, b, n, turn_alike, pairs_alike), kBits), caps, kBits);
      Ball bias(0);
      for (const LawPair& head : heads) {
        if (head.first.bias == head.second.bias) continue;
        const auto at = [&](const ScoreFunction& law) {
          return evaluate(
              substitute(substitute(law.bias, theory::kLength, Expr(length)), theory::kIndex, Expr(n)), {},
              kBits);
        };
        bias = max(bias, abs(sub(at(head.first), at(head.second), kBits)), kBits);
      }
      here = add(here, bias, kBits);
      largest = max(largest, here, kBits);
      const Ball proved = lower_bound(n, here, bias);
      least_largest = max(least_largest, proved, kBits);
      if (difference.tokens == 0 && !moves && shown.surely_at_most(proved))
        difference.tokens = tokens_at(one, n);
      done = n + 1;
    }
    if (difference.tokens == 0 && moves && shown.surely_at_most(least_largest))
      difference.tokens = tokens_at(one, length);
    const bool same_keys = same_sinks && first.kept == second.kept && !(windows_differ && least <= length);
    difference.scores.push_back({length, largest, least_largest, weights_apart(largest, same_keys)});
  }
  if (windows_differ && least <= lengths.back() && (difference.tokens == 0 || difference.tokens > least + 1))
    difference.tokens = least + 1;
}

const ConfigEncoding* encoding_at(const std::vector<ConfigEncoding>& encodings, int layer) {
  for (const ConfigEncoding& one : encodings) {
    if (std::ranges::find(one.layers, layer) != one.layers.end()) return &one;
  }
  return nullptr;
}

}  // namespace

ConfigDifference config_difference(const std::vector<ConfigEncoding>& first,
                                   const std::vector<ConfigEncoding>& second,
                                   const std::vector<std::int64_t>& lengths, const Rational& content_bound,
                                   const Rational& epsilon, const std::function<void(double)>& progress) {
  ConfigDifference result;
  const int layers = std::max(first.front().all_layers, second.front().all_layers);
  const int both_have = std::min(first.front().all_layers, second.front().all_layers);
  struct Kind {
    const ConfigEncoding* first;
    const ConfigEncoding* second;
    bool in_both;
    bool operator==(const Kind&) const = default;
  };
  std::vector<Kind> kinds;
  for (int layer = 1; layer <= layers; ++layer) {
    progress(static_cast<double>(layer - 1) / layers);
    const Kind kind{encoding_at(first, layer), encoding_at(second, layer), layer <= both_have};
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
    if (!kind.in_both) {
      const std::pair counts{std::to_string(first.front().all_layers),
                             std::to_string(second.front().all_layers)};
      difference.reason = "the first has " + counts.first + " layers, the second " + counts.second;
      if (difference.parts.empty()) difference.parts.push_back({"layers", counts.first, counts.second});
    }
    for (const ConfigEncoding* one : {kind.first, kind.second}) {
      if (one != nullptr && !one->caveat.empty()) difference.caveat = one->name + ": " + one->caveat;
    }
    if (!difference.parts.empty() && kind.first != nullptr && kind.second != nullptr)
      measure(difference, *kind.first, *kind.second, lengths, content_bound, epsilon);
    kinds.push_back(kind);
    result.layers.push_back(std::move(difference));
  }
  std::erase_if(result.layers, [](const LayerDifference& difference) { return difference.parts.empty(); });
  return result;
}

}  // namespace gpe::checks
