// A count that may be a number, beyond writing (its log10), unbounded, absent, or not determined.
// Tests: tests/checks/report/json_number_test.cpp
#pragma once

#include <optional>
#include <string>

#include "theory/source/rational.h"

namespace gpe::checks {

struct BigCount {
  enum class Kind { none, number, log10, unbounded, unknown };
  Kind kind = Kind::none;
  theory::Rational number;  ///< Kind::number, at most 10^30
  std::string log10;        ///< Kind::log10: decimal digits, proved
  std::string reason;       ///< Kind::unknown

  static BigCount of(theory::Rational value) { return {Kind::number, std::move(value), "", ""}; }
  static BigCount none() { return {}; }
  static BigCount unbounded() { return {Kind::unbounded, 0, "", ""}; }
  static BigCount unknown(std::string why) { return {Kind::unknown, 0, "", std::move(why)}; }
  static BigCount power_of_ten(std::string exponent) { return {Kind::log10, 0, std::move(exponent), ""}; }
};

}  // namespace gpe::checks
