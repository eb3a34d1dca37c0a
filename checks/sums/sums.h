// Z = Σ e^A, S = Σ A e^A and D = Σ n e^A over all n >= first, enclosed together; H = log Z - S/Z.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "checks/sums/moments.h"
#include "theory/score/law.h"

namespace gpe::checks {

enum class Finite { yes, no, unknown };

struct EnclosedNumber {
  Finite finite = Finite::unknown;
  Ball value = Ball::unknown();  ///< meaningful when finite
  std::string reason;            ///< why infinite, why unknown, or why fewer digits than asked
};

struct Sums {
  EnclosedNumber z;
  EnclosedNumber entropy;
  EnclosedNumber mean_distance;
  std::string method;  ///< "closed form: geometric", "sum of 64 terms", …
};

struct SumOptions {
  int digits = 30;
  std::chrono::milliseconds time_limit{10000};
};

/// The sums of the scores `law.bias` (content zero) of a law without free parameters.
Sums enclose_sums(const theory::Law& law, const SumOptions& options, const theory::ConstantOracle& oracle);

/// Sums over first … first + L, that is L + 1 tokens.
struct PartialSum {
  theory::Rational length;  ///< L
  Ball z;
  Ball entropy;
  Ball mean_distance;
  std::string method;
  std::string reason;  ///< not empty: nothing was computed, and why
};
PartialSum enclose_partial_sum(const theory::Law& law, const theory::Rational& length,
                               const SumOptions& options, const theory::ConstantOracle& oracle);

/// Adds the terms n = from … to one by one. A term whose ball is not finite (a floor of what may be an
/// integer) is evaluated exactly first.
Moments sum_terms(const theory::Expr& score, const theory::Rational& from, const theory::Rational& to,
                  long bits, const theory::Context& context);
/// Working bits for `digits` decimal digits.
inline long bits_for(int digits) { return static_cast<long>(3.33 * digits) + 64; }

}  // namespace gpe::checks
