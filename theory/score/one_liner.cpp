#include "theory/score/one_liner.h"

#include <algorithm>

#include "theory/expression/expr_parse.h"
#include "theory/score/spec_expression.h"
#include "theory/source/spec_error.h"

namespace gpe::theory {

namespace {

// Those of them that a parameter can have, each once.
std::vector<std::string> parameter_names(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) {
    if (is_name(name) && std::ranges::find(reserved_names(), name) == reserved_names().end() &&
        std::ranges::find(result, name) == result.end())
      result.push_back(name);
  }
  return result;
}

}  // namespace

Encoding encoding_of(const OneLiner& text, const std::string& source) {
  const bool options = source == kCommandLine;
  const std::string dashes = options ? "--" : "";
  const std::string at = options ? dashes : source + ": ";
  Encoding encoding;
  encoding.name = "expression";
  encoding.source = source;
  encoding.first = text.first;
  NameScope of_n;
  of_n.names = {"n", "L", "d", "h", "heads", "layer", "layers"};
  const std::vector<std::string> declared = parameter_names(text.parameters);
  of_n.names.insert(of_n.names.end(), declared.begin(), declared.end());
  NameScope of_block = of_n;
  of_block.names.emplace_back("j");
  of_block.no_cut_entropy.clear();
  const auto parse = [&](const std::string& key, const std::string& value, const NameScope& scope,
                         Expr otherwise) {
    if (value.empty()) return otherwise;
    try {
      return parse_expression(value, scope);
    } catch (const ParseError& error) {
      const std::string name = value.substr(error.begin, error.end - error.begin);
      std::string advice =
          options ? "--set NAME=VALUE or --symbolic NAME declares a parameter" : "a parameter needs a spec";
      if (std::ranges::find(text.parameters, name) != text.parameters.end())
        advice = "'" + name + "' is reserved: a parameter needs another name";
      throw error_in_argument(at + key, value, error.begin, error.end, with_declaration(error, advice));
    }
  };
  encoding.formulas = {{"bias", text.bias.empty() ? "0" : text.bias},
                       {"gain", text.gain.empty() ? "1" : text.gain}};
  if (!text.angle.empty()) encoding.formulas["angle"] = text.angle;
  encoding.bias = parse("bias", text.bias, of_n, Expr(0));
  encoding.gain = parse("gain", text.gain, of_n, Expr(1));
  const std::string usual = text.angle.empty() ? "identity" : "rotation";
  const std::string transform = text.transform.empty() ? usual : text.transform;
  if (transform == "identity") {
    encoding.transform = Transform::identity;
  } else if (transform == "rotation") {
    encoding.transform = Transform::rotation;
  } else if (transform == "none") {
    encoding.transform = Transform::none;
  } else {
    throw SpecError(at + "transform: '" + transform + "' cannot be given " +
                    (options ? "on the command line" : "without a spec") +
                    "; expected identity, rotation or none (the others need a " +
                    (options ? "file)" : "spec)"));
  }
  if (encoding.transform == Transform::rotation && text.angle.empty()) {
    throw SpecError(at + "transform rotation needs " + dashes + "angle, for example " +
                    (options ? "--angle '10000^(-2*j/d)*n'" : "angle = \"10000^(-2*j/d)*n\""));
  }
  if (encoding.transform != Transform::rotation && !text.angle.empty()) {
    throw SpecError(at + "angle needs " + dashes + "transform" + (options ? " rotation" : " = \"rotation\""));
  }
  encoding.rotation.angle = parse("angle", text.angle, of_block, Expr(0));
  for (const std::string& name : declared) {
    if (encoding.bias.mentions(name) || encoding.gain.mentions(name) ||
        encoding.rotation.angle.mentions(name))
      encoding.parameters.push_back({name, {{Expr(1)}}, {{"1"}}, {}, "", ""});
  }
  return encoding;
}

}  // namespace gpe::theory
