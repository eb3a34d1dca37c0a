#include "checks/configs/config_keys.h"
// Tests: tests/cli/compare_configs.cmake

#include <algorithm>
#include <map>
#include <set>

#include "checks/configs/config_encoding.h"
#include "checks/configs/config_type.h"
#include "theory/expression/expr_print.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

namespace {

using Path = JsonConfig::Path;

std::string shown(const Path& path) { return theory::joined(path, "."); }

// All keys of an object, and those inside `depth` levels of objects about positions.
void add_keys(std::vector<Path>& result, const JsonConfig& object, const Path& around, int depth) {
  static const std::vector<std::string> about = {"rope_scaling", "rope_parameters", "attn_config"};
  for (const std::string& key : object.keys()) {
    Path path = around;
    path.push_back(key);
    result.push_back(path);
    const bool enters = depth == 1 || (depth == 2 && std::ranges::find(about, key) != about.end());
    if (const auto inner = object.stated_object(key); enters && inner)
      add_keys(result, *inner, path, depth - 1);
  }
}

// Those of the text decoder.
std::vector<Path> stated_keys(const JsonConfig& config) {
  const Path place = text_place(config);
  JsonConfig decoder = config;
  for (const std::string& part : place) decoder = *decoder.stated_object(part);
  std::vector<Path> result;
  add_keys(result, decoder, place, 2);
  return result;
}

bool same_encodings(const std::vector<ConfigEncoding>& a, const std::vector<ConfigEncoding>& b) {
  return std::ranges::equal(a, b, [](const ConfigEncoding& x, const ConfigEncoding& y) {
    return x.toml == y.toml && x.layers == y.layers && x.all_layers == y.all_layers && x.heads == y.heads &&
           x.key_heads == y.key_heads && x.head_dim == y.head_dim && x.cached == y.cached &&
           x.cached_layers == y.cached_layers;
  });
}

std::map<std::string, std::string> values_of(const std::vector<ConfigEncoding>& encodings) {
  std::map<std::string, std::string> result;
  for (const ConfigEncoding& one : encodings) {
    result.emplace("layers", std::to_string(one.all_layers));
    result.emplace("heads", std::to_string(one.heads));
    result.emplace("heads of keys", std::to_string(one.key_heads));
    result.emplace("head dimension", std::to_string(one.head_dim));
    for (const theory::Parameter& parameter : one.parsed().parameters)
      result.emplace(parameter.name, to_text(parameter.values.front().front()));
  }
  return result;
}

// What stands where the other one would: "base 10000".
std::string used_instead(const std::vector<ConfigEncoding>& encodings,
                         const std::vector<ConfigEncoding>& meant) {
  const auto values = values_of(encodings);
  std::vector<std::string> result;
  for (const auto& [name, value] : values_of(meant)) {
    const auto found = values.find(name);
    if (found == values.end())
      result.push_back("no " + name);
    else if (found->second != value)
      result.push_back(name + " " + found->second);
  }
  return theory::joined(result, ", ");
}

// Of vLLM and SGLang: get_rope and YaRNScalingRotaryEmbedding, which take these beside the keys of
// transformers.
std::string read_elsewhere(const std::string& key) {
  static const std::map<std::string, std::string> engines = {
      {"attn_factor", "vLLM and SGLang multiply cos and sin of YaRN by it"},
      {"extrapolation_factor", "vLLM and SGLang multiply the ramp of YaRN by it"},
      {"apply_yarn_scaling", "vLLM leaves out the factor of cos and sin of YaRN where it is false"}};
  const auto found = engines.find(key);
  return found == engines.end() ? "" : found->second;
}

std::vector<MistakenKey> mistaken_among(const JsonConfig& config, const std::vector<Path>& stated,
                                        const std::vector<ConfigEncoding>& whole) {
  std::vector<MistakenKey> result;
  std::set<std::string> taken;
  for (const Path& path : stated) taken.insert(shown(path));
  for (const Path& path : stated) {
    const std::string key = shown(path);
    if (config.was_asked(key)) continue;
    if (const std::string engines = read_elsewhere(path.back()); path.size() > 1 && !engines.empty()) {
      result.push_back({key, " by transformers: " + engines});
      continue;
    }
    const std::string around = key.substr(0, key.size() - path.back().size());
    std::vector<std::string> free = config.asked_inside(around);
    std::erase_if(free, [&](const std::string& name) { return taken.contains(around + name); });
    const std::string near = theory::nearest_name(path.back(), free);
    if (near.empty()) continue;
    taken.insert(around + near);
    std::string used;
    try {
      const std::vector<ConfigEncoding> meant = encodings_of_config(config.renamed(path, near));
      if (same_encodings(whole, meant)) continue;
      used = used_instead(whole, meant);
    } catch (const theory::SpecError&) {  // no value of that key: another one was meant
      continue;
    }
    result.push_back({key, "; did you mean '" + near + "'?" + (used.empty() ? "" : " Used: " + used)});
  }
  return result;
}

}  // namespace

std::string sentence_of(const MistakenKey& mistaken) {
  return "key '" + mistaken.key + "' is not read" + mistaken.why;
}

std::vector<MistakenKey> mistaken_keys(const JsonConfig& config) {
  const std::vector<ConfigEncoding> whole = encodings_of_config(config);
  return mistaken_among(config, stated_keys(config), whole);
}

IdleKeys idle_keys(const JsonConfig& config) {
  static const std::vector<std::string> about = {"rope",        "rotary",  "theta",    "window", "attention",
                                                 "attn",        "head",    "position", "alibi",  "softcap",
                                                 "layer_types", "max_len", "scaling"};
  const std::vector<ConfigEncoding> whole = encodings_of_config(config);
  const std::vector<Path> stated = stated_keys(config);
  const std::size_t outside = text_place(config).size();
  IdleKeys result;
  result.mistaken = mistaken_among(config, stated, whole);
  for (const Path& path : stated) {
    const std::string key = shown(path);
    const std::string inside = shown(Path(path.begin() + static_cast<std::ptrdiff_t>(outside), path.end()));
    if (config.was_asked(key)) {
      if (path.back() == "model_type") continue;
      try {
        if (same_encodings(whole, encodings_of_config(config.without(path))))
          result.change_nothing.push_back(inside);
      } catch (const theory::SpecError&) {  // it is needed
      }
    } else if (std::ranges::find(result.mistaken, key, &MistakenKey::key) == result.mistaken.end() &&
               std::ranges::any_of(
                   about, [&](const std::string& word) { return inside.find(word) != std::string::npos; })) {
      result.unread.push_back(inside);
    }
  }
  return result;
}

}  // namespace gpe::checks
