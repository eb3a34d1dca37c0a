#include "theory/expression/functions.h"

namespace gpe::theory {

const std::vector<std::pair<std::string, Function>>& functions() {
  static const std::vector<std::pair<std::string, Function>> table = {
      {"log", Function::log}, {"exp", Function::exp}, {"abs", Function::abs},     {"min", Function::min},
      {"max", Function::max}, {"sin", Function::sin}, {"floor", Function::floor}, {"cos", Function::cos}};
  return table;
}

const std::vector<std::pair<std::string, std::string>>& written_out() {
  static const std::vector<std::pair<std::string, std::string>> table = {
      {"tan", "sin(x)/cos(x)"},         {"sinh", "(exp(x) - exp(-x))/2"},
      {"cosh", "(exp(x) + exp(-x))/2"}, {"tanh", "1 - 2/(1 + exp(2*x))"},
      {"sigmoid", "1/(1 + exp(-x))"},   {"softplus", "log(1 + exp(x))"},
      {"ceil", "-floor(-x)"},           {"sign", "if(x < 0, -1, if(x > 0, 1, 0))"}};
  return table;
}

}  // namespace gpe::theory
