#include "theory/score/encoding.h"

#include <algorithm>

namespace gpe::theory {

const Parameter* Encoding::find(const std::string& parameter) const {
  const auto found = std::ranges::find(parameters, parameter, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = {
      "n",   "L",   "d",    "j",   "h",   "heads", "layer", "layers", "pi",  "H",  "B",   "alpha",
      "log", "exp", "sqrt", "abs", "min", "max",   "floor", "sin",    "cos", "if", "sum", "and"};
  return names;
}

}  // namespace gpe::theory
