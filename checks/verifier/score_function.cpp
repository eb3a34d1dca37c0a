#include "checks/verifier/score_function.h"
// Tests: tests/certificates/hypotheses_test.cpp
#include <algorithm>
#include <cctype>

namespace gpe::verifier {

namespace {

const std::string kKnownAlphas = "self-entropy measured frozen-pair";

}  // namespace

ScoreFunction::ScoreFunction(const Json& all)
    : json(all),
      transform(formula("transform")),
      head_dim(json["head_dim"]),
      first(json["first"]),
      windowed(has("window")) {
  if (head_dim % 2 != 0) throw NotShown("an odd head_dim");
  for (const auto& [one, of] : {std::pair("head", "heads"), std::pair("layer", "layers")})
    if (json[one] > json[of]) throw NotShown("no such " + std::string(one));
  std::set<std::string> names;
  const auto declare = [&](const std::string& one) {
    if (std::isdigit(static_cast<unsigned char>(one[0])) != 0 || is_reserved(one) ||
        !names.insert(one).second)
      throw NotShown("nothing may be called " + one);
  };
  for (const Json& one : parameters()) declare(one["name"]);
  for (const auto& [table, one] : json["tables"].items()) {
    declare(table);
    if (is_function(table)) throw NotFollowed("a table has the name of a function: " + table);
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
  e.names = {{"d", head_dim}, {"h", json["head"].get<long>()}};
  for (const char* key : {"heads", "layer", "layers"}) e.names[key] = json[key].get<long>();
  std::map<std::string, Form> values = {{"$first", first}};
  for (const Json& one : parameters()) {
    const std::string name = one["name"];
    values[name] = free.contains(name) ? Form(calculus.symbol(name)) : e(one["value"]);
  }
  if (free.contains("B")) values["B"] = calculus.symbol("B");
  e.names.merge(values);
  for (const auto& [name, one] : json["tables"].items()) {
    Table& table = e.tables[name];
    table.first = one["first"].get<long>();
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
