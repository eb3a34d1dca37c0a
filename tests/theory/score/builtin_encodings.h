// The built-in encodings as the tests of their values read them: laws, values as balls, sums.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include "checks/arb/expr_ball.h"
#include "tests/in_time.h"
#include "tests/oracle.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_parse.h"
#include "theory/expression/expr_print.h"
#include "theory/properties/verdict.h"
#include "theory/score/spec_parse.h"

namespace gpe::tests {

using gpe::checks::Ball;
using gpe::theory::Encoding;
using gpe::theory::Expr;
using gpe::theory::Finding;
using gpe::theory::Override;
using gpe::theory::Property;
using gpe::theory::Rational;
using gpe::theory::ScoreFunction;
using gpe::theory::Setting;
using gpe::theory::Verdict;

inline constexpr long kBits = 160;
inline const std::filesystem::path kFolder = std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings";

using gpe::testing::oracle;

inline std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".toml") result.push_back(entry.path().stem().string());
  }
  std::ranges::sort(result);
  return result;
}

inline Encoding encoding(const std::string& name) {
  return gpe::theory::load_encoding(kFolder / (name + ".toml"));
}

using Values = std::vector<std::pair<std::string, std::string>>;

inline ScoreFunction open_law(const std::string& name, const Setting& setting = {},
                              const Values& values = {}) {
  std::vector<Override> overrides;
  for (const auto& [parameter, value] : values)
    overrides.push_back({parameter, gpe::theory::parse_expression(value, {})});
  return gpe::theory::instantiate(encoding(name), setting, overrides, oracle(), gpe::theory::Families::taken);
}

inline ScoreFunction law(const std::string& name, const Setting& setting = {}, const Values& values = {}) {
  return gpe::theory::at_values(open_law(name, setting, values));
}

using Point = std::map<std::string, std::int64_t>;

inline Ball value(const Expr& expression, const Point& point, long bits = kBits) {
  std::map<std::string, Ball> balls;
  for (const auto& [symbol, number] : point) balls.emplace(symbol, Ball(number));
  return gpe::checks::evaluate(expression, balls, bits);
}

inline Ball ball(const std::string& decimal) { return Ball(*Rational::parse(decimal), kBits); }
inline Ball root(const Ball& x) { return gpe::checks::sqrt(x, kBits); }
inline Ball power(const Ball& x, const Ball& y) { return gpe::checks::pow(x, y, kBits); }

// |x - golden| is at most one unit of the last digit that the golden number shows.
inline ::testing::AssertionResult agrees(const Ball& x, const std::string& golden) {
  const std::size_t mark = golden.find_first_of("eE");
  const std::string mantissa = golden.substr(0, mark);
  const std::size_t point = mantissa.find('.');
  std::int64_t last =
      point == std::string::npos ? 0 : -static_cast<std::int64_t>(mantissa.size() - point - 1);
  if (mark != std::string::npos) last += std::stoll(golden.substr(mark + 1));
  const Ball unit(Rational(10).pow(last), kBits);
  const Ball distance = gpe::checks::abs(gpe::checks::sub(x, ball(golden), kBits));
  if (distance.surely_at_most(unit)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << x.approximate() << " is not " << golden;
}

// Equal to about 40 digits.
inline ::testing::AssertionResult same(const Ball& x, const Ball& golden) {
  const Ball scale = gpe::checks::add(gpe::checks::abs(golden), Ball(Rational(1, 1000000), kBits), kBits);
  const Ball bound = gpe::checks::mul(scale, Ball(Rational(10).pow(-36), kBits), kBits);
  if (gpe::checks::abs(gpe::checks::sub(x, golden, kBits)).surely_at_most(bound))
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << x.approximate() << " is not " << golden.approximate();
}

inline Ball angle(const ScoreFunction& closed, std::int64_t j, std::int64_t n = 1) {
  return value(closed.rotation.angle, {{"n", n}, {"j", j}, {"L", n}});
}

struct Sums {
  Ball z;
  Ball log_z;
  Ball entropy;
};

// Z and H of the distances 0 … last under the score bias + content.
inline Sums sums(const ScoreFunction& closed, std::int64_t last,
                 const std::function<Ball(std::int64_t)>& content = nullptr) {
  Ball z;
  Ball weighted;
  for (std::int64_t n = 0; n <= last; ++n) {
    Ball score = value(closed.bias, {{"n", n}, {"L", last}});
    if (content) score = gpe::checks::add(score, content(n), kBits);
    const Ball weight = gpe::checks::exp(score, kBits);
    z = gpe::checks::add(z, weight, kBits);
    weighted = gpe::checks::add(weighted, gpe::checks::mul(weight, score, kBits), kBits);
  }
  const Ball log_z = gpe::checks::log(z, kBits);
  return {z, log_z, gpe::checks::sub(log_z, gpe::checks::div(weighted, z, kBits), kBits)};
}

// q = k = (1, …, 1): each block of a rotation gives 2 cos(angle), times its factor.
inline std::function<Ball(std::int64_t)> all_ones(const ScoreFunction& closed) {
  return [&closed](std::int64_t n) {
    Ball total;
    for (std::int64_t j = 0; j < closed.head_dim / 2; ++j) {
      const Ball turned = gpe::checks::cos(angle(closed, j, n), kBits);
      const Ball scale = value(closed.rotation.scale, {{"n", n}, {"j", j}});
      total = gpe::checks::add(total, gpe::checks::mul(turned, scale, kBits), kBits);
    }
    return gpe::checks::div(gpe::checks::mul(Ball(2), total, kBits), root(Ball(closed.head_dim)), kBits);
  };
}

inline std::map<std::string, const Finding*> by_reading(const std::vector<Finding>& findings) {
  std::map<std::string, const Finding*> result;
  for (const Finding& finding : findings) {
    // for every gate or query: these come before those for some
    const std::string reading(finding.reading->name);
    result.emplace(std::string(short_name_of(finding.reading->property)) + "/" + reading, &finding);
  }
  return result;
}

inline Finding find(const std::string& name, Property property, std::string_view reading) {
  return gpe::theory::find(*gpe::theory::find_reading(property, reading), open_law(name), Rational(1),
                           gpe::testing::in_time());
}

}  // namespace gpe::tests
