#include "checks/configs/megatron_arguments.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "checks/cli/read_json.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using nlohmann::json;
using theory::SpecError;

namespace {

// What arguments.py and transformer_config.py of Megatron-LM have: flags, and arguments with a value.
const std::vector<std::string>& flags() {
  static const std::vector<std::string> all = {"--group-query-attention", "--use-rotary-position-embeddings",
                                               "--rotary-interleaved",    "--use-rope-scaling",
                                               "--qk-layernorm",          "--no-position-embedding"};
  return all;
}
const std::vector<std::string>& valued() {
  static const std::vector<std::string> all = {"--num-layers",
                                               "--hidden-size",
                                               "--num-attention-heads",
                                               "--num-query-groups",
                                               "--kv-channels",
                                               "--seq-length",
                                               "--max-position-embeddings",
                                               "--position-embedding-type",
                                               "--rotary-base",
                                               "--rotary-percent",
                                               "--rotary-seq-len-interpolation-factor",
                                               "--rope-scaling-factor",
                                               "--window-size",
                                               "--window-attn-skip-freq",
                                               "--softmax-type"};
  return all;
}

// Others that begin so change scores, and are not read.
constexpr std::array kOfAttention = {"--rotary",
                                     "--rope",
                                     "--yarn",
                                     "--mrope",
                                     "--window",
                                     "--position-",
                                     "--no-position",
                                     "--qk-",
                                     "--softmax",
                                     "--multi-latent",
                                     "--no-rope",
                                     "--relative-attention",
                                     "--linear-attention",
                                     "--experimental-attention"};

bool contains(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

// Null where the text is no JSON.
json json_of(const std::string& text) {
  try {
    return read_json(text, "");
  } catch (const SpecError&) {
    return nullptr;
  }
}

class Arguments {
 public:
  Arguments(const std::string& text, std::string source) : source_(std::move(source)) {
    std::istringstream lines(text);
    std::vector<std::string> words;
    for (std::string line; std::getline(lines, line);) {
      std::istringstream parts(line);
      for (std::string word; parts >> word && !word.starts_with('#');) add_word(words, word);
    }
    for (std::size_t i = 0; i < words.size(); ++i) take(words, i);
    if (!given_.contains("--num-attention-heads"))
      throw SpecError(source_ + ": no --num-attention-heads; expected the arguments of Megatron-LM");
  }

  bool has(const std::string& name) const { return given_.contains(name); }

  [[noreturn]] void fail(const std::string& name, const std::string& expected) const {
    throw SpecError(source_ + ": " + name + " is " + given_.at(name) + "; expected " + expected);
  }

  json number(const std::string& name, const json& otherwise) const {
    if (!has(name)) return otherwise;
    const json value = json_of(given_.at(name));
    if (!value.is_number()) fail(name, "a number");
    return value;
  }

  std::int64_t whole(const std::string& name, std::int64_t otherwise = 0) const {
    const json value = number(name, otherwise);
    if (!value.is_number_integer() || value.get<std::int64_t>() < 1) {
      if (!has(name)) throw SpecError(source_ + ": no " + name + "; expected a whole number");
      fail(name, "a whole number from 1");
    }
    return value.get<std::int64_t>();
  }

  std::string text(const std::string& name, const std::string& otherwise) const {
    return has(name) ? given_.at(name) : otherwise;
  }

 private:
  // Without the quotes, brackets and line ends of a shell; `--name=value` is two words.
  static void add_word(std::vector<std::string>& words, std::string word) {
    std::erase_if(word, [](char sign) { return sign == '"' || sign == '\'' || sign == '\\'; });
    const auto ends_name = [](unsigned char sign) { return std::isalnum(sign) == 0 && sign != '_'; };
    const auto after = std::ranges::find_if(word, ends_name);  // of NAME=, NAME=( and NAME+=(
    const auto end_of_name = static_cast<std::size_t>(after - word.begin());
    const std::size_t begin = word.find("--", end_of_name);
    if (begin != std::string::npos && word.find_first_not_of("+=(", end_of_name) == begin)
      word.erase(0, begin);
    if (word.starts_with("--"))
      while (word.ends_with(')') || word.ends_with(';')) word.pop_back();
    const std::size_t equals = word.find('=');
    if (word.starts_with("--") && equals != std::string::npos) {
      words.push_back(word.substr(0, equals));
      word = word.substr(equals + 1);
    }
    if (!word.empty()) words.push_back(word);
  }

  // A value that ends a list or a command of the shell; (512, 0) has both of its brackets.
  static void trim(std::string& value) {
    while (value.ends_with(';')) value.pop_back();
    while (value.ends_with(')') && std::ranges::count(value, ')') > std::ranges::count(value, '('))
      value.pop_back();
  }

  void take(const std::vector<std::string>& words, std::size_t& i) {
    const std::string& name = words[i];
    if (!name.starts_with("--")) {
      for (const auto* known : {&flags(), &valued()})
        for (const std::string& one : *known)
          if (name.find(one) != std::string::npos)
            throw SpecError(source_ + ": '" + name + "' is not read; expected " + one +
                            " as a word of its own");
      return;
    }
    if (contains(flags(), name)) {
      given_[name] = "given";
    } else if (contains(valued(), name)) {
      if (i + 1 == words.size() || words[i + 1].starts_with("--"))
        throw SpecError(source_ + ": " + name + " has no value; expected one");
      given_[name] = words[++i];
      while (i + 1 < words.size() && given_[name].ends_with(',')) given_[name] += words[++i];
      trim(given_[name]);
    } else if (std::ranges::any_of(kOfAttention, [&](const char* part) { return name.starts_with(part); })) {
      std::vector<std::string> known = flags();
      known.insert(known.end(), valued().begin(), valued().end());
      throw SpecError(source_ + ": " + name + " is not read" +
                      theory::did_you_mean(name, known, "; expected arguments of docs/configs.md"));
    }
  }

  std::string source_;
  std::map<std::string, std::string> given_;
};

json rope_of(const Arguments& given) {
  json rope{{"rope_type", "default"}, {"rope_theta", given.number("--rotary-base", 10000)}};
  rope["partial_rotary_factor"] = given.number("--rotary-percent", 1);
  const char* linear = "--rotary-seq-len-interpolation-factor";
  const char* factor = "--rope-scaling-factor";
  if (given.has("--use-rope-scaling")) {
    if (given.has(linear)) given.fail(linear, "no --use-rope-scaling beside it");
    rope.update({{"rope_type", "llama3"},
                 {"factor", given.number(factor, 8)},
                 {"low_freq_factor", 1},
                 {"high_freq_factor", 4},
                 {"original_max_position_embeddings", 8192}});
  } else if (given.has(factor)) {
    given.fail(factor, "--use-rope-scaling beside it, without which it does nothing");
  } else if (given.has(linear)) {
    rope.update({{"rope_type", "linear"}, {"factor", given.number(linear, 1)}});
  }
  return rope;
}

// A query sees `left` keys before its own; which layers do is a period of full ones, or a list.
void add_windows(json& config, const Arguments& given, std::int64_t layers) {
  const char* size = "--window-size";
  const char* skip = "--window-attn-skip-freq";
  json types = json::array();
  config["sliding_window"] = nullptr;
  std::string pair = given.text(size, "-1,0");
  std::erase_if(pair, [](char sign) { return sign == '(' || sign == ')'; });
  const json sides = json_of("[" + pair + "]");
  if (!sides.is_array() || sides.size() != 2 || !sides[0].is_number_integer() || sides[1] != 0)
    given.fail(size, "LEFT,0");
  const bool windows = sides[0] != -1;
  constexpr std::uint64_t kMax = std::uint64_t{1} << 40;
  if (windows && (!sides[0].is_number_unsigned() || sides[0].get<std::uint64_t>() > kMax))
    given.fail(size, "LEFT,0");
  if (windows) config["sliding_window"] = sides[0].get<std::int64_t>() + 1;
  const json period = given.has(skip) ? json_of(given.text(skip, "")) : json(0);
  const bool listed = period.is_array() && period.size() == static_cast<std::size_t>(layers);
  const std::uint64_t every = period.is_number_unsigned() ? period.get<std::uint64_t>() : 0;
  const auto is_bit = [](const json& layer) { return layer == 0 || layer == 1; };
  if (given.has(skip) && every == 0 && !(listed && std::ranges::all_of(period, is_bit)))
    given.fail(skip, "a whole number, or a list of 0 and 1, one for each layer");
  for (std::size_t i = 0; i < static_cast<std::size_t>(layers); ++i) {
    const bool full = listed ? period[i] == 0 : every != 0 && (i + 1) % every == 0;
    types.push_back(windows && !full ? "sliding_attention" : "full_attention");
  }
  config["layer_types"] = types;
}

}  // namespace

json config_of_megatron(const std::string& text, const std::string& source) {
  const Arguments given(text, source);
  const std::string type =
      given.text("--position-embedding-type",
                 given.has("--use-rotary-position-embeddings") ? "rope" : "learned_absolute");
  if (type != "rope" && type != "none")
    throw SpecError(source + ": positions are " + type + "; expected --position-embedding-type rope or none");
  const std::string softmax = given.text("--softmax-type", "vanilla");
  const std::vector<std::string> softmaxes = {"vanilla", "learnable", "off-by-one"};
  if (!contains(softmaxes, softmax)) given.fail("--softmax-type", "vanilla, learnable or off-by-one");
  const std::int64_t layers = given.whole("--num-layers");
  const std::int64_t heads = given.whole("--num-attention-heads");
  const std::int64_t hidden = given.whole("--hidden-size");
  if (layers > 4096) given.fail("--num-layers", "at most 4096");
  json config{{"model_type", softmax == "vanilla" ? "megatron" : "megatron_sink"},
              {"num_hidden_layers", layers},
              {"hidden_size", hidden},
              {"num_attention_heads", heads},
              {"head_dim", given.whole("--kv-channels", hidden / heads)},
              {"rope_interleave", given.has("--rotary-interleaved")},
              {"qk_layernorm", given.has("--qk-layernorm")},
              {"rope_parameters", rope_of(given)}};
  const bool grouped = given.has("--group-query-attention");
  config["num_key_value_heads"] = grouped ? given.whole("--num-query-groups", 1) : heads;
  if (given.has("--max-position-embeddings") || given.has("--seq-length"))
    config["max_position_embeddings"] =
        given.whole(given.has("--max-position-embeddings") ? "--max-position-embeddings" : "--seq-length");
  config["no_rope_layers"] = std::vector<int>(static_cast<std::size_t>(layers), type == "rope" ? 1 : 0);
  add_windows(config, given, layers);
  return config;
}

}  // namespace gpe::checks
