#include "theory/expression/functions.h"

namespace gpe::theory {

namespace {

constexpr int kMaxOrder = 100;  // of a polygamma function that is written; derivatives may have more

}  // namespace

const std::vector<std::pair<std::string, Function>>& functions() {
  static const std::vector<std::pair<std::string, Function>> table = {
      {"log", Function::log},     {"exp", Function::exp},       {"abs", Function::abs},
      {"min", Function::min},     {"max", Function::max},       {"sin", Function::sin},
      {"floor", Function::floor}, {"cos", Function::cos},       {"atan", Function::atan},
      {"erfc", Function::erfc},   {"lgamma", Function::lgamma}, {"polygamma", Function::polygamma}};
  return table;
}

const std::vector<std::pair<std::string, std::string>>& written_out() {
  static const std::vector<std::pair<std::string, std::string>> table = {
      {"tan", "sin(x)/cos(x)"},
      {"sinh", "(exp(x) - exp(-x))/2"},
      {"cosh", "(exp(x) + exp(-x))/2"},
      {"tanh", "1 - 2/(1 + exp(2*x))"},
      {"sigmoid", "1/(1 + exp(-x))"},
      {"softplus", "log(1 + exp(x))"},
      {"ceil", "-floor(-x)"},
      {"sign", "if(x < 0, -1, if(x > 0, 1, 0))"},
      {"asin", "2*atan(x/(1 + sqrt(1 - x^2)))"},
      {"acos", "pi/2 - 2*atan(x/(1 + sqrt(1 - x^2)))"},
      {"erf", "1 - erfc(x)"},
      {"gamma", "exp(lgamma(x))"},
      {"factorial", "exp(lgamma(x + 1))"},
      {"digamma", "polygamma(0, x)"}};
  return table;
}

bool takes_several(Function function) {
  return function == Function::min || function == Function::max || function == Function::polygamma;
}

std::string fault_of(Function function, const std::vector<Expr>& arguments) {
  const std::string name(name_of(function));
  if (!takes_several(function)) return arguments.size() == 1 ? "" : name + " has one argument";
  if (function != Function::polygamma)
    return arguments.size() > 1 ? "" : name + " needs at least two arguments";
  const Rational* order = arguments.front().number();
  const bool whole =
      order != nullptr && order->is_integer() && order->sign() >= 0 && *order <= Rational(kMaxOrder);
  if (arguments.size() == 2 && whole) return "";
  return "polygamma has two arguments, the first a whole number from 0 to " + std::to_string(kMaxOrder);
}

}  // namespace gpe::theory
