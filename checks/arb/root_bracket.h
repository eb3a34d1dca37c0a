// The root of a decreasing function between two rationals, each end proved by the sign of the function there.
#pragma once

#include <functional>
#include <string>

#include "checks/arb/ball.h"
#include "theory/exact/context.h"

namespace gpe::checks {

/// F(low) > 0 > F(high) is proved.
struct RootBracket {
  theory::Rational low;
  theory::Rational high;
  std::string reason;  ///< why it is wider than asked; empty when it is not
};

/// Cuts the bracket down to a relative width of 10^-digits: by the secant through its ends, tried a little to
/// either side, so that the width is squared each time; by halves where that does not do. Secants only choose
/// where to look.
/// @param value  F(x), with an absolute error of about 10^-digits times what F is a difference of
/// @pre F decreases on [low, high], 0 < low; F(low) > 0 > F(high) is proved
/// Past the time of `context`: the bracket reached. @throws what `value` throws, but TimeUp
RootBracket bracket_root(const std::function<Ball(const theory::Rational& x, int digits)>& value,
                         RootBracket bracket, int digits, const theory::Context& context);

/// The sign of F(x), with more digits while it is not proved; 0 when it never is, up to `most` digits.
int proved_sign(const std::function<Ball(const theory::Rational& x, int digits)>& value,
                const theory::Rational& x, int digits, int most);

}  // namespace gpe::checks
