// Families of one bias, their free parameters with domains from 0 on.
#pragma once

#include "checks/arb/expr_ball.h"
#include "checks/design/design.h"
#include "theory/score/spec_parse.h"

namespace gpe::checks::design_test {

using theory::Rational;
using enum theory::Relation;

inline const theory::Context& context() {  // a search ends after a minute
  static const theory::Context instance =
      ball_context(theory::Budget(std::chrono::seconds(10), std::chrono::seconds(60)));
  return instance;
}

inline OrderedFamily family(const std::string& bias, const std::vector<FreeParameter>& free,
                            const Rational& bound = 0, const std::string& more = "") {
  std::string text = "schema = 1\nname = \"family\"\n[parameters]\n";
  for (const FreeParameter& one : free)
    text += one.name + " = { default = \"" + one.low.str() + "\", domain = \"" + one.name + " >= 0\" }\n";
  text += "[score]\nbias = \"" + bias + "\"\n" + more;
  return {theory::parse_encoding(text, "family", "."), {}, {}, free, bound, context()};
}

inline Measure entropy() { return {DesignQuantity::entropy, std::nullopt, ""}; }
inline Measure parameter(const std::string& name) { return {DesignQuantity::parameter, std::nullopt, name}; }

}  // namespace gpe::checks::design_test
