// Tests: tests/theory/properties/normalizer_test.cpp
#include "theory/score/spec_normalizer.h"

#include "theory/score/gradient_matrix.h"
#include "theory/score/spec_expression.h"

namespace gpe::theory {

namespace {

struct Known {
  Normalizer normalizer;
  const char* name;
  const char* parameter;  // its key in [score.normalizer]; or null
};
constexpr Known kKnown[] = {
    {Normalizer::softmax, "softmax", nullptr}, {Normalizer::sigmoid, "sigmoid", nullptr},
    {Normalizer::relu, "relu", nullptr},       {Normalizer::top_k, "top-k", "k"},
    {Normalizer::entmax, "entmax", "alpha"},   {Normalizer::stick_breaking, "stick-breaking", nullptr}};

const Known& known(Normalizer normalizer) {
  for (const Known& one : kKnown)
    if (one.normalizer == normalizer) return one;
  return kKnown[0];
}

// The theorems are about scores without L, of keys on one side, whose weights sum to 1 without a sink; H(n)
// is the entropy of a softmax.
void require_proved(const TomlSource& toml, const toml::node& node, const Encoding& encoding) {
  const auto refuse = [&](bool there, const std::string& what) {
    if (there)
      toml.fail(node,
                "normalizer = \"" + std::string(name_of(encoding.normalizer)) + "\" is not decided " + what);
  };
  refuse(encoding.path.has_value(), "with [score.path]");
  refuse(encoding.query.has_value(), "with [score.query]");
  refuse(encoding.two_sided, "with sided = \"two\"");
  refuse(encoding.sink.has_value(), "with a sink");
  refuse(encoding.gain.mentions(kLength) || encoding.bias.mentions(kLength) ||
             encoding.rotation.scale.mentions(kLength) || encoding.rotation.angle.mentions(kLength),
         "with L in the score");
  refuse(mentions_cut_entropy(encoding.rotation.angle), "with H(n), the entropy of a softmax");
}

}  // namespace

std::string_view name_of(Normalizer normalizer) { return known(normalizer).name; }

void read_normalizer(const TomlSource& toml, const toml::table& score, const NameScope& constant,
                     Encoding& encoding, std::string (*elsewhere)(std::string_view)) {
  const toml::node* node = score.get("normalizer");
  if (node == nullptr) return;
  std::vector<std::pair<std::string, Normalizer>> names;
  for (const Known& one : kKnown) names.emplace_back(one.name, one.normalizer);
  const toml::table* table = node->as_table();
  const toml::node& kind =
      table == nullptr ? *node : toml.required(*table, "kind", "kind = \"…\" in [score.normalizer]");
  encoding.normalizer = toml.choice<Normalizer>(kind, table == nullptr ? "normalizer" : "kind", names);
  const Known& chosen = known(encoding.normalizer);
  encoding.formulas["normalizer"] = chosen.name;
  if (chosen.parameter != nullptr && table == nullptr)
    toml.fail(*node, "normalizer \"" + std::string(chosen.name) +
                         "\" has a parameter: expected a table [score.normalizer] with kind = \"" +
                         chosen.name + "\" and " + chosen.parameter + " = \"…\"");
  if (table != nullptr) {
    std::vector<std::string> keys = {"kind"};
    if (chosen.parameter != nullptr) keys.emplace_back(chosen.parameter);
    toml.only_keys(*table, keys, "[score.normalizer] of kind \"" + std::string(chosen.name) + "\"",
                   elsewhere);
  }
  if (chosen.parameter != nullptr) {
    const toml::node& value = toml.required(*table, chosen.parameter,
                                            chosen.parameter + std::string(" = \"…\" in [score.normalizer]"));
    encoding.formulas["normalizer_parameter"] = written(value);
    encoding.normalizer_parameter = expression_of(toml, value, chosen.parameter, constant);
  }
  if (encoding.normalizer != Normalizer::softmax) require_proved(toml, *node, encoding);
}

}  // namespace gpe::theory
