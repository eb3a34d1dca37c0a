#include "model/gpt/config.h"

#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <variant>

#include "model/position/encoding_files.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"
#include "theory/source/text_list.h"
#include "theory/source/toml_keys.h"

namespace gpe::model {

namespace {

using theory::SpecError;

struct Key {
  std::string name;  ///< "training.batch"
  std::variant<std::int64_t*, double*, bool*, std::string*, std::vector<std::string>*> value;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

constexpr double kLargeCount = 1e9;

std::vector<Key> keys(TsmConfig& c) {
  return {
      {"model.layers", &c.model.layers, 1, 1024},
      {"model.heads", &c.model.heads, 1, 1024},
      {"model.width", &c.model.width, 2, 1 << 20},
      {"model.vocabulary", &c.model.vocabulary, 0, 65536},
      {"model.vocabulary_padded", &c.model.vocabulary_padded, 0, 1 << 20},
      {"model.position_table", &c.model.position_table, 0, 1 << 24},
      {"model.feed_forward", &c.model.feed_forward, 0, 1 << 22},
      {"model.bias", &c.model.bias},
      {"model.activation", &c.model.activation},
      {"model.norm", &c.model.norm},
      {"model.norm_epsilon", &c.model.norm_epsilon, 0, 1},
      {"model.parallel_residual", &c.model.parallel_residual},
      {"model.tied_head", &c.model.tied_head},
      {"position.encoding", &c.position.encoding},
      {"position.set", &c.position.set},
      {"position.learned", &c.position.learned},
      {"position.share", &c.position.share},
      {"position.measured_momentum", &c.position.measured_momentum, 0, 1},
      {"training.context", &c.training.context, 1, 1 << 24},
      {"training.batch", &c.training.batch, 1, 1 << 20},
      {"training.accumulation", &c.training.accumulation, 1, 1 << 20},
      {"training.iterations", &c.training.iterations, 0, kLargeCount},
      {"training.learning_rate", &c.training.learning_rate, 0, 1e3},
      {"training.minimum_learning_rate", &c.training.minimum_learning_rate, 0, 1e3},
      {"training.warmup", &c.training.warmup, 0, kLargeCount},
      {"training.decay_iterations", &c.training.decay_iterations, 1, kLargeCount},
      {"training.weight_decay", &c.training.weight_decay, 0, 1e3},
      {"training.beta1", &c.training.beta1, 0, 1},
      {"training.beta2", &c.training.beta2, 0, 1},
      {"training.clip", &c.training.clip, 0, 1e9},
      {"training.seed", &c.training.seed, 0, 9e15},
      {"training.data_fraction", &c.training.data_fraction, 0, 1},
      {"training.answers_only", &c.training.answers_only},
      {"training.dtype", &c.training.dtype},
      {"output.log_every", &c.output.log_every, 1, kLargeCount},
      {"output.entropy_every", &c.output.entropy_every, 0, kLargeCount},
      {"output.evaluate_every", &c.output.evaluate_every, 1, kLargeCount},
      {"output.evaluate_batches", &c.output.evaluate_batches, 0, kLargeCount},
      {"output.checkpoint_every", &c.output.checkpoint_every, 1, kLargeCount},
      {"output.keep_best", &c.output.keep_best},
  };
}

std::string number_text(double value) {
  const std::string text = decimal(value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string toml_text(const std::string& text) {
  std::ostringstream stream;
  stream << toml::value<std::string>(text);
  return stream.str();
}

class ConfigReader {
 public:
  ConfigReader(std::string_view text, const std::string& source) : toml_(text, source) {}

  void read(TsmConfig& config) {
    const toml::table root = theory::toml_document(toml_.text(), toml_.source());
    const std::vector<Key> known = keys(config);
    for (const auto& [section, node] : root) {
      const toml::table* table = node.as_table();
      if (table == nullptr) {
        toml_.fail(node, "'" + std::string(section.str()) +
                             "' belongs into a table: [model], [position], [training] or [output]");
      }
      for (const auto& [name, value] : *table)
        read_key(known, std::string(section.str()) + "." + std::string(name.str()), value);
    }
  }

 private:
  void read_key(const std::vector<Key>& known, const std::string& name, const toml::node& node) const {
    std::vector<std::string> names;
    for (const Key& key : known) {
      if (key.name == name) {
        std::visit([&](auto* value) { assign(key, *value, node); }, key.value);
        return;
      }
      names.push_back(key.name);
    }
    toml_.fail(node, "unknown key '" + name + "'" + theory::did_you_mean(name, names));
  }

  void in_range(const Key& key, double value, const toml::node& node) const {
    if (value >= key.low && value <= key.high) return;
    const auto bound = [](double b) { return number_text(b); };
    toml_.fail(node, key.name + " is out of range: expected " + bound(key.low) + " to " + bound(key.high));
  }
  void assign(const Key& key, std::int64_t& to, const toml::node& node) const {
    const auto value = node.value_exact<std::int64_t>();
    if (!value) toml_.fail(node, key.name + ": expected an integer");
    in_range(key, static_cast<double>(*value), node);
    to = *value;
  }
  void assign(const Key& key, double& to, const toml::node& node) const {
    const auto value = node.value<double>();
    if (!value || !node.is_number()) toml_.fail(node, key.name + ": expected a number");
    in_range(key, *value, node);
    to = *value;
  }
  void assign(const Key& key, bool& to, const toml::node& node) const {
    const auto value = node.value_exact<bool>();
    if (!value) toml_.fail(node, key.name + ": expected true or false");
    to = *value;
  }
  void assign(const Key& key, std::string& to, const toml::node& node) const {
    const auto value = node.value_exact<std::string>();
    if (!value) toml_.fail(node, key.name + ": expected a string");
    to = *value;
  }
  void assign(const Key& key, std::vector<std::string>& to, const toml::node& node) const {
    const toml::array* array = node.as_array();
    if (array == nullptr) toml_.fail(node, key.name + ": expected an array of strings");
    to.clear();
    for (const toml::node& element : *array) {
      const auto value = element.value_exact<std::string>();
      if (!value) toml_.fail(element, key.name + ": expected an array of strings");
      to.push_back(*value);
    }
  }

  theory::TomlSource toml_;
};

void one_of(const std::string& key, const std::string& value, const std::vector<std::string>& allowed) {
  if (std::ranges::find(allowed, value) == allowed.end())
    throw SpecError(key + " = \"" + value + "\": expected one of " + theory::joined(allowed, ", "));
}

}  // namespace

TsmConfig parse_config(std::string_view toml, const std::string& source) {
  TsmConfig config;
  ConfigReader(toml, source).read(config);
  try {
    check_config(config);
  } catch (const SpecError& error) {
    throw SpecError(source + ": " + error.what());
  }
  return config;
}

TsmConfig load_config(const std::filesystem::path& file) {
  return parse_config(theory::read_text_file(file), file.string());
}

void override_config(TsmConfig& config, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  const std::size_t dot = assignment.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    throw SpecError("--set " + assignment + ": expected SECTION.KEY=VALUE, for example training.batch=4");
  }
  const std::string section = "[" + assignment.substr(0, dot) + "]\n";
  const std::string key = assignment.substr(dot + 1, equals - dot - 1);
  const std::string value = assignment.substr(equals + 1);
  bool is_string = false;
  for (const Key& known : keys(config)) {
    is_string = is_string || (known.name == assignment.substr(0, equals) &&
                              std::holds_alternative<std::string*>(known.value));
  }
  const std::string text = is_string && !value.starts_with('"') ? toml_text(value) : value;
  ConfigReader(section + key + " = " + text, "--set").read(config);
}

std::string to_toml(const TsmConfig& config) {
  TsmConfig copy = config;
  std::string result;
  std::string section;
  for (const Key& key : keys(copy)) {
    const std::size_t dot = key.name.find('.');
    if (key.name.substr(0, dot) != section) {
      section = key.name.substr(0, dot);
      result += (result.empty() ? "[" : "\n[") + section + "]\n";
    }
    result += key.name.substr(dot + 1) + " = ";
    if (const auto* integer = std::get_if<std::int64_t*>(&key.value)) result += std::to_string(**integer);
    if (const auto* number = std::get_if<double*>(&key.value)) result += number_text(**number);
    if (const auto* flag = std::get_if<bool*>(&key.value)) result += **flag ? "true" : "false";
    if (const auto* text = std::get_if<std::string*>(&key.value)) result += toml_text(**text);
    if (const auto* list = std::get_if<std::vector<std::string>*>(&key.value))
      result += "[" + theory::joined(**list, ", ", toml_text) + "]";
    result += "\n";
  }
  return result;
}

void settle_vocabulary(TsmConfig& config, std::optional<std::int64_t> vocabulary) {
  constexpr std::int64_t gpt2 = 50257;
  TsmConfig::Model& m = config.model;
  if (m.vocabulary == 0) m.vocabulary = vocabulary.value_or(gpt2);
  if (m.vocabulary_padded == 0) m.vocabulary_padded = (m.vocabulary + 63) / 64 * 64;
}

double weight_count(const TsmConfig& config) {
  const TsmConfig::Model& m = config.model;
  const auto width = static_cast<double>(m.width);
  const double maps = config.gated() ? 3 : 2;
  const double layer = width * (4 * width + maps * static_cast<double>(config.feed_forward()));
  return static_cast<double>(m.layers) * layer +
         width * static_cast<double>(m.vocabulary_padded * (m.tied_head ? 1 : 2) + m.position_table);
}

void check_config(const TsmConfig& config) {
  const TsmConfig::Model& m = config.model;
  if (m.width % m.heads != 0 || (m.width / m.heads) % 2 != 0) {
    throw SpecError("model.width = " + std::to_string(m.width) +
                    " is not an even multiple of model.heads = " + std::to_string(m.heads));
  }
  if (m.vocabulary_padded != 0 && m.vocabulary_padded < m.vocabulary) {
    throw SpecError("model.vocabulary_padded = " + std::to_string(m.vocabulary_padded) +
                    " is less than model.vocabulary = " + std::to_string(m.vocabulary));
  }
  if (m.position_table != 0 && m.position_table < config.training.context) {
    throw SpecError(
        "model.position_table = " + std::to_string(m.position_table) +
        " has no row for every position of training.context = " + std::to_string(config.training.context));
  }
  if (config.training.data_fraction <= 0) throw SpecError("training.data_fraction must be above 0");
  if (config.training.beta1 >= 1 || config.training.beta2 >= 1)
    throw SpecError("training.beta1 and beta2 must be below 1");
  const std::vector<std::string>& learned = config.position.learned;
  if (std::set<std::string>(learned.begin(), learned.end()).size() != learned.size())
    throw SpecError("position.learned names a parameter twice");
  one_of("model.activation", m.activation, {"gelu", "gelu_tanh", "relu", "swiglu"});
  one_of("model.norm", m.norm, {"layer", "rms"});
  if (m.bias && m.norm == "rms") throw SpecError("model.bias: normalizations by the mean square have none");
  one_of("training.dtype", config.training.dtype, {"float32", "bfloat16", "float64"});
  one_of("position.share", config.position.share, {"model", "head", "layer-and-head"});
}

}  // namespace gpe::model
