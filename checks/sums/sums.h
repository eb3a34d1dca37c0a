// Z = Σ e^A, S = Σ A e^A and D = Σ n e^A over all n >= first, enclosed together; H = log Z - S/Z.
#pragma once

#include <optional>
#include <string>

#include "checks/sums/general_sum.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

enum class Finite { yes, no, unknown };

struct EnclosedNumber {
  Finite finite = Finite::unknown;
  Ball value = Ball::unknown();  ///< meaningful when finite
  std::string reason;            ///< why infinite, why unknown, or why fewer digits than asked

  bool is_enclosed() const { return finite == Finite::yes && value.is_finite(); }
  static EnclosedNumber infinite(const std::string& reason) { return {Finite::no, Ball::unknown(), reason}; }
  static EnclosedNumber unknown(const std::string& reason) {
    return {Finite::unknown, Ball::unknown(), reason};
  }
};

struct Sums {
  EnclosedNumber z;
  EnclosedNumber entropy;
  EnclosedNumber mean_distance;
  std::string method;  ///< "closed form: geometric", "sum of 64 terms", …
};

/// The limit of H_L where Z is infinite: infinite if the scores, at most `above`, are bounded, as H_L >= log
/// Z_L - M; else not known.
EnclosedNumber entropy_beside_infinite_sum(const theory::Expr& above, const theory::Context& context);

/// The sums of the scores `law.bias` (content zero) of a law without free parameters.
/// @param digits  of each number; some have fewer, with the reason, when the time of one question does not do
Sums enclose_sums(const theory::ScoreFunction& law, int digits, const theory::Context& context);

/// Sums over first … first + L, that is L + 1 tokens.
struct PartialSum {
  theory::Rational length;  ///< L
  Ball z;
  Ball entropy;
  Ball mean_distance;
  std::string method;
  std::string reason;  ///< not empty: nothing was computed, and why
};
PartialSum enclose_partial_sum(const theory::ScoreFunction& law, const theory::Rational& length, int digits,
                               const theory::Context& context);

}  // namespace gpe::checks
