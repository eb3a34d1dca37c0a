// Decimal text of certified numbers: ends rounded outward, and the digits that are proved.
#pragma once

#include <string>

#include "checks/arb/ball.h"

namespace gpe::checks {

/// The largest (smallest) decimal with `digits` significant digits that is <= (>=) the value. Plain notation
/// between 1e-7 and 1e21 where the digits reach the units, else "d.ddde±x".
std::string decimal_below(const theory::Rational& value, int digits);
std::string decimal_above(const theory::Rational& value, int digits);

struct Decimal {
  std::string text;  ///< correctly rounded to `digits` significant digits
  int digits = 0;    ///< proved; 0 when not even the sign is
};
/// The value rounded to the most digits, at most `most`, that both ends of the ball agree on.
Decimal proved_decimal(const Ball& value, int most);

/// Lower and upper decimals of a finite ball. Huge exponents (beyond 2^20 bits) are handled too.
struct DecimalEnds {
  std::string lower;
  std::string upper;
};
DecimalEnds decimal_ends(const Ball& value, int digits);

}  // namespace gpe::checks
