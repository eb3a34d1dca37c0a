#include "checks/verifier/score_function.h"
// Tests: tests/certificates/hypotheses_test.cpp
#include <algorithm>
#include <cctype>

namespace gpe::verifier {

namespace {

const std::string kKnownAlphas = "self-entropy measured frozen-pair";

}  // namespace

bool is_shallow(const std::string& text, std::size_t most_dots) {
  int depth = 0;
  std::size_t dots = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == '.') ++dots;
    if (c == '\n' || c == '=' || c == ',') dots = 0;
    if (depth > 300 || dots > most_dots) return false;
  }
  return true;
}

Json read_json(const std::string& text) {
  if (text.find_first_of({"$\0", 2}) != std::string::npos || text.find("\\u") != std::string::npos)
    throw NotShown("a certificate has no $, no \\u and no NUL byte");
  if (!is_shallow(text, text.size())) throw NotShown("the file is nested too deeply");
  try {
    Json result = Json::parse(text);
    if (std::ranges::count(text, ':') != std::ranges::count(result.dump(), ':'))
      throw NotShown("duplicate key");
    return result;
  } catch (const Json::exception& error) {
    throw NotShown(std::string("no JSON: ") + error.what());
  }
}

void require_keys(const Json& object, std::set<std::string> keys) {
  if (!object.is_object()) throw NotShown("expected an object with " + *keys.begin());
  for (const auto& [key, value] : object.items())
    if (keys.erase(key) == 0) throw NotShown("unknown key '" + key + "'");
  if (!keys.empty()) throw NotShown("the key '" + *keys.begin() + "' is missing");
}

long count(const Json& number) {
  if (!number.is_number_unsigned() || number.get<std::uint64_t>() > 1000000000)
    throw NotShown(number.dump() + " is not a count");
  return number.get<long>();
}

ScoreFunction::ScoreFunction(const Json& all) : json(all) {
  require_keys(json,
               {"name", "head_dim", "head", "heads", "layer", "layers", "first", "window", "gain", "bias",
                "softcap", "transform", "angle", "alpha", "scale", "rate", "decay", "parameters", "tables"});
  transform = formula("transform");
  head_dim = count(json["head_dim"]);
  first = count(json["first"]);
  windowed = has("window");
  const bool scaled = transform == "scaled-rotation", turns = scaled || transform == "rotation",
             hyperbolic = transform == "hyperbolic";
  if (!turns && !hyperbolic && transform != "identity" && transform != "none")
    throw NotShown("no transform is called " + transform);
  if (has("angle") != turns || has("scale") != scaled || has("rate") != hyperbolic ||
      (has("alpha") && !turns) || has("decay") != hyperbolic)
    throw NotShown("the formulas are not those of the transform");
  const std::string name = json["name"];
  const auto is_name = [](const std::string& text, const char* also) {
    return !text.empty() && text.size() <= 200 && std::ranges::all_of(text, [&](unsigned char c) {
      return std::isalnum(c) != 0 || std::string(also).find(static_cast<char>(c)) != std::string::npos;
    });
  };
  if (!is_name(name, "-_.") || head_dim < 2 || head_dim % 2 != 0 || head_dim > 4096 ||
      !json["parameters"].is_array() || !json["tables"].is_object())
    throw NotShown("no law");
  for (const auto& [one, of] : {std::pair("head", "heads"), std::pair("layer", "layers")})
    if (count(json[one]) < 1 || count(json[one]) > count(json[of]) || count(json[of]) > 1024)
      throw NotShown("no such " + std::string(one));
  std::set<std::string> names;
  const auto declare = [&](const std::string& one) {
    if (!is_name(one, "_") || std::isdigit(static_cast<unsigned char>(one[0])) != 0 || is_reserved(one) ||
        !names.insert(one).second)
      throw NotShown("nothing may be called " + one);
  };
  for (const Json& one : parameters()) {
    require_keys(one, {"name", "value", "domain"});
    declare(one["name"]);
  }
  for (const auto& [table, one] : json["tables"].items()) {
    require_keys(one, {"first", "beyond", "values"});
    declare(table);
    if (is_function(table)) throw NotFollowed("a table has the name of a function: " + table);
    if (!one["values"].is_array() || one["values"].empty() ||
        (one["beyond"] != "constant" && one["beyond"] != "error"))
      throw NotShown("no table");
  }
  // What formulas may speak of: rates are by block, gain and bias by distance; a window and a soft cap are
  // one number; entropies are for angles.
  const Calculus plain;
  const std::string alpha = formula("alpha");
  for (const auto& [key, known] :
       {std::pair("gain", "n L"), std::pair("bias", "n L"), std::pair("window", ""), std::pair("softcap", ""),
        std::pair("rate", "j"), std::pair("decay", "j"), std::pair("scale", "n L j"), std::pair("alpha", "n"),
        std::pair("angle", alpha.empty() ? "n L j H" : "n L j alpha")}) {
    Evaluator reader = evaluator(plain, {});
    reader.texts.clear();
    for (const char* one : {"n", "L", "j", "H", "alpha"})
      if (among(known, one)) reader.names[one] = 0;
    if (has(key) && !among(kKnownAlphas, formula(key))) reader.read(formula(key));
  }
  Evaluator reader = evaluator(plain, {});
  reader.texts.clear();
  reader.tables.clear();
  for (const Json& one : parameters())
    if (!one["domain"].is_null()) reader.conditions(one["domain"]);
  if (windowed) keys();
  if (has("softcap") && !plain.positive(evaluator(plain, {})(formula("softcap"))))
    throw NotShown("a soft cap that is not positive");
}

Evaluator ScoreFunction::evaluator(const Calculus& calculus, const std::set<std::string>& free) const {
  Evaluator e(calculus);
  e.names = {{"d", head_dim},
             {"h", count(json["head"])},
             {"heads", count(json["heads"])},
             {"layer", count(json["layer"])},
             {"layers", count(json["layers"])}};
  std::map<std::string, Form> values = {{"$first", first}};
  for (const Json& one : parameters()) {
    const std::string name = one["name"];
    values[name] = free.contains(name) ? Form(calculus.symbol(name)) : e(one["value"]);
  }
  if (free.contains("B")) values["B"] = calculus.symbol("B");
  e.names.merge(values);
  for (const auto& [name, one] : json["tables"].items()) {
    Table& table = e.tables[name];
    table.first = count(one["first"]);
    table.constant = one["beyond"] == "constant";
    for (const Json& value : one["values"]) table.values.push_back(e.rational(value));
  }
  auto& text = e.texts;
  const bool by_block = mentions(formula("scale") + " " + formula("rate") + " " + formula("decay"), "j");
  const std::string over = by_block ? "$largest(j, 0, d/2 - 1, " : "$largest(j, 0, 0, ";
  for (const char* name : {"gain", "bias", "angle", "scale", "rate", "decay", "softcap", "alpha"})
    text[std::string("$") + name] = "(" + formula(name) + ")";
  text["$b"] =
      mentions(formula("bias"), "L") ? "($bias - $with(n, $first, $bias))" : "$bias";  // b(first; L) = 0
  if (has("scale")) {
    text["$stretch"] = "abs($scale)";
    text["$w"] = over + "$stretch)";
    text["$entry"] = "($gain*$scale)";
  } else if (has("rate")) {
    text["$stretch"] = "exp(n*($branch*$rate - $decay))";
    text["$w"] = over + "exp(n*(abs($rate) - $decay)))";
    text["$entry"] = "($gain*$stretch)";
  } else {
    text["$stretch"] = transform == "none" ? "0" : "1";
    text["$w"] = "$stretch";
    text["$entry"] = transform == "none" ? "0" : "$gain";
  }
  text["$length"] = "(abs($gain)*$stretch)";
  text["$size"] = has("softcap") ? "(abs($gain)*min($w, $softcap))" : "(abs($gain)*$w)";
  text["$a"] = has("softcap") ? "(abs($gain)*$softcap*(2/(1 + exp(-2*$B*$w/$softcap)) - 1))"
                              : "($size*$B)";  // c·tanh(x/c)
  text["$above"] = "($b + $a)";
  text["$below"] = "($b - $a)";
  text["$mean"] = "($b + $a - (d - 1)/2*log($a))";
  const std::string alpha = formula("alpha"),
                    self = values.contains("alpha0") ? "alpha0*(1 + H(n))" : "(1 + H(n))";
  if (alpha == "self-entropy")
    text["alpha"] = self;
  else if (!alpha.empty() && !among(kKnownAlphas, alpha))
    text["alpha"] = "$alpha";
  return e;
}

bool ScoreFunction::depends_on_length() const {
  return mentions(formula("bias") + " " + formula("gain") + " " + formula("scale") + " " + formula("rate") +
                      " " + formula("decay"),
                  "L");
}

long ScoreFunction::keys() const {
  const Calculus plain;
  const Q keys = has("window") ? evaluator(plain, {}).rational(formula("window")) : Q(0);
  if (keys.get_den() != 1 || keys < 1 || keys > 1000000000)
    throw NotShown("no window of a whole number of keys");
  return keys.get_num().get_si();
}

}  // namespace gpe::verifier
