#include "checks/frontier/delta_star.h"

#include "checks/arb/precision.h"
#include "checks/arb/root_bracket.h"
#include "checks/sums/family/family_sum.h"
#include "theory/exact/attempt.h"

namespace gpe::checks {

using theory::Context;
using theory::Rational;

namespace {

EnclosedNumber entropy(const ExponentialPower& family, int digits, const Context& context) {
  if (family.delta.is_zero() && family.gamma.is_zero() && family.beta <= Rational(1))
    return {Finite::no, Ball::unknown(), "Z is infinite"};
  const auto sum = family_sum(family, 0, std::nullopt, {true, false}, digits, context);
  if (!sum) return {Finite::unknown, Ball::unknown(), "exponents out of proportion"};
  return {Finite::yes, entropy_of(sum->moments, sum->bits), ""};
}

// A slope above 0 at which APE's entropy is proved to be larger, with the last one at which it is smaller.
std::optional<RootBracket> bracket_from(const Rational& m,
                                        const std::function<Ball(const Rational&, int)>& difference,
                                        int most) {
  RootBracket result{m, m, ""};
  for (std::int64_t halvings = 1; halvings < 600; halvings *= 2) {
    result.low = m * Rational(2).pow(-halvings);
    const int sign = proved_sign(difference, result.low, 20, most);
    if (sign > 0) return result;
    if (sign == 0) return std::nullopt;
    result.high = result.low;
  }
  return std::nullopt;
}

}  // namespace

DeltaStar delta_star(const Rational& m, const Rational& beta, const Rational& gamma, int digits,
                     const Context& whole) {
  const Context context = whole.question();
  const int most = 4 * digits + 100;
  DeltaStar result;
  const auto done = theory::attempt([&] {
    result.alibi = entropy({m, 0, 0}, digits, context);
    result.at_m = entropy({m, beta, gamma}, digits, context);
    result.at_zero = entropy({0, beta, gamma}, digits, context);
    if (beta.is_zero() && gamma.is_zero()) {
      result.kind = DeltaStar::Kind::found;
      result.exact = m;
      result.value = Ball(m, working_bits(digits));
      return;
    }
    const auto difference = [&](const Rational& delta, int precision) {
      const EnclosedNumber ape = entropy({delta, beta, gamma}, precision, context);
      const EnclosedNumber alibi = entropy({m, 0, 0}, precision, context);
      if (ape.finite != Finite::yes || alibi.finite != Finite::yes) throw theory::Undecided(ape.reason);
      return sub(ape.value, alibi.value, working_bits(precision));
    };
    if (result.at_zero.finite == Finite::yes) {
      const int sign = proved_sign(difference, Rational(0), digits, most);
      if (sign < 0) {
        result.kind = DeltaStar::Kind::none;
        result.reason = "APE's entropy is below ALiBi's even at delta = 0, where it is largest";
        return;
      }
      if (sign == 0) {
        result.reason = "APE's entropy at delta = 0 and ALiBi's are not told apart with " +
                        std::to_string(most) + " digits";
        return;
      }
    }
    const auto bracket = bracket_from(m, difference, most);
    if (!bracket) {
      result.reason = "no delta > 0 was found at which APE's entropy is proved to be the larger one";
      return;
    }
    const RootBracket found = bracket_root(difference, *bracket, digits, context);
    result.kind = DeltaStar::Kind::found;
    const long bits = working_bits(digits) + 32;
    result.value = Ball::hull(Ball(found.low, bits), Ball(found.high, bits), bits);
    result.reason = found.reason;
  });
  if (!done) {
    result.kind = DeltaStar::Kind::undecided;
    result.reason = done.reason();
  }
  return result;
}

}  // namespace gpe::checks
