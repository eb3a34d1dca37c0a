// Scores from text, and golden decimals, for the tests of sums.
#pragma once

#include <string>

#include "checks/sums/general_sum.h"
#include "tests/checks/law_of.h"
#include "tests/in_time.h"
#include "theory/expression/expr_parse.h"

namespace gpe::testing {

/// An expression in n alone.
inline theory::Expr score_of(const std::string& text) {
  theory::NameScope scope;
  scope.names = {"n"};
  return theory::parse_expression(text, scope);
}

/// A context whose time does not end during a test.
inline theory::Context patient_context() { return in_time(std::chrono::minutes(10)).question(); }

/// Σ over all n >= first. @param want  which of S and D converge
inline checks::GeneralSum whole_sum(const std::string& score, std::int64_t first, checks::WantedMoments want,
                                    int digits, int seconds = 60) {
  return checks::general_sum(score_of(score), first, std::nullopt, want, digits,
                             in_time(std::chrono::seconds(seconds)));
}

/// Σ over first … last.
inline checks::GeneralSum partial_sum(const std::string& score, std::int64_t first,
                                      const theory::Rational& last, int digits,
                                      checks::WantedMoments want = {}, int seconds = 60) {
  return checks::general_sum(score_of(score), first, last, want, digits,
                             in_time(std::chrono::seconds(seconds)));
}

/// A decimal that is right to one unit of its last place.
inline checks::Ball golden(const std::string& decimal, int places) {
  const theory::Rational value = *theory::Rational::parse(decimal);
  checks::Ball error(value.abs() * theory::Rational(10).pow(1 - places), 64);
  return checks::Ball(value, 4L * places + 64).widened(error);
}

/// Relative bits for that many decimal digits.
inline long bits_of(int digits) { return static_cast<long>(3.3219 * digits); }

}  // namespace gpe::testing
