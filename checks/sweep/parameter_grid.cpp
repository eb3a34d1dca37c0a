#include "checks/sweep/parameter_grid.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "checks/arb/decimal.h"
#include "checks/cli/command_line.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Rational;
using theory::SpecError;

VariedParameter vary_option(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dots = text.find("..", equals == std::string::npos ? 0 : equals);
  if (equals == std::string::npos || equals == 0 || dots == std::string::npos)
    throw SpecError(option + " " + text + ": expected NAME=LOW..HIGH or ENCODING.NAME=LOW..HIGH");
  VariedParameter result;
  result.name = text.substr(0, equals);
  if (const std::size_t dot = result.name.rfind('.'); dot != std::string::npos) {
    result.encoding = result.name.substr(0, dot);
    result.name = result.name.substr(dot + 1);
  }
  result.low = number_option(option + " " + result.name, text.substr(equals + 1, dots - equals - 1));
  result.high = number_option(option + " " + result.name, text.substr(dots + 2));
  if (result.low >= result.high) throw SpecError(option + " " + text + ": expected LOW < HIGH");
  return result;
}

std::vector<Rational> spaced(const Rational& low, const Rational& high, int count) {
  assert(low < high && count >= 2);
  constexpr long kBits = 128;
  constexpr int kFigures = 6;
  std::vector<Rational> result = {low};
  std::vector<Rational> even = {low};
  for (int i = 1; i < count - 1; ++i) {
    const Rational share(i, count - 1);
    even.push_back(low + (high - low) * share);
    if (low.sign() <= 0) continue;
    const Ball factor = pow(div(Ball(high, kBits), Ball(low, kBits), kBits), share, kBits);
    const Decimal rounded = proved_decimal(mul(Ball(low, kBits), factor, kBits), kFigures);
    result.push_back(Rational::parse(rounded.text).value());
  }
  result.push_back(high);
  even.push_back(high);
  const bool rises = std::ranges::adjacent_find(result, std::greater_equal<>()) == result.end();
  return low.sign() > 0 && rises ? result : even;
}

std::vector<Rational> spaced_whole(const Rational& low, const Rational& high, int count) {
  std::vector<Rational> result;
  for (const Rational& value : spaced(low, high, count)) {
    Rational whole = (value + Rational(1, 2)).floor();
    if (whole < low) whole = low.ceil();
    if (whole > high) whole = high.floor();
    if (whole >= low && (result.empty() || result.back() < whole)) result.push_back(whole);
  }
  return result;
}

bool is_whole(const theory::Encoding& encoding, const std::string& parameter) {
  return encoding.window && encoding.window->mentions(parameter);
}

std::vector<std::vector<Rational>> combinations(const std::vector<std::vector<Rational>>& values) {
  std::vector<std::vector<Rational>> result = {{}};
  for (const std::vector<Rational>& choices : values) {
    std::vector<std::vector<Rational>> longer;
    for (const std::vector<Rational>& chosen : result) {
      for (const Rational& value : choices) {
        longer.push_back(chosen);
        longer.back().push_back(value);
      }
    }
    result = std::move(longer);
  }
  return result;
}

}  // namespace gpe::checks
