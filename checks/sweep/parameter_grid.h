// Values of parameters that are varied: NAME=LOW..HIGH, exact numbers between two ends.
// Tests: tests/cli/sweep.cmake, tests/cli/frontier.cmake
#pragma once

#include <string>
#include <vector>

#include "theory/score/encoding.h"
#include "theory/source/rational.h"

namespace gpe::checks {

struct VariedParameter {
  std::string encoding;  ///< empty: every encoding that has it
  std::string name;
  theory::Rational low;
  theory::Rational high;
};

/// "NAME=LOW..HIGH" or "ENCODING.NAME=LOW..HIGH". @throws theory::SpecError naming the option.
VariedParameter vary_option(const std::string& option, const std::string& text);

/// `count` values that rise from low to high, both included: by equal factors, rounded to six digits, when
/// low > 0 and these tell them apart; else by equal steps. @pre low < high, count >= 2
std::vector<theory::Rational> spaced(const theory::Rational& low, const theory::Rational& high, int count);

/// The same, each rounded to a whole number, once each; none when there is none in [low, high].
std::vector<theory::Rational> spaced_whole(const theory::Rational& low, const theory::Rational& high,
                                           int count);

/// Whether the parameter of an encoding takes whole numbers only: it is in the number of keys of a window.
bool is_whole(const theory::Encoding& encoding, const std::string& parameter);

/// Every combination of one value each, the last parameter changing fastest.
std::vector<std::vector<theory::Rational>> combinations(
    const std::vector<std::vector<theory::Rational>>& values);

}  // namespace gpe::checks
