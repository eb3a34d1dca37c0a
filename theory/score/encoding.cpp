#include "theory/score/encoding.h"

#include <algorithm>

namespace gpe::theory {

const Parameter* Encoding::find(const std::string& parameter) const {
  const auto found = std::ranges::find(parameters, parameter, &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

const std::vector<std::string>& reserved_names() {
  static const std::vector<std::string> names = {
      "n",   "L",   "d",    "j",   "h",   "heads", "layer", "layers", "pi",  "H",  "B",   "alpha",
      "log", "exp", "sqrt", "abs", "min", "max",   "floor", "sin",    "cos", "if", "sum", "and"};
  return names;
}

}  // namespace gpe::theory
