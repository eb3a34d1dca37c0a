// Bounds of atan, erfc, lgamma and polygamma of what has bounds.
// Tests: tests/theory/asymptotics/special_limits_test.cpp
#include "theory/asymptotics/asymptotic_enclosure.h"

namespace gpe::theory {

using namespace node;

// Monotone, but for lgamma, which falls up to a place between 7/5 and 3/2, to more than -1/8.
AsymptoticEnclosure EnclosureExpander::special(const Call& call, const AsymptoticEnclosure& a) {
  const auto order = call.arguments.front().number();
  const auto value = [&](const SeriesPtr& x) {
    switch (call.function) {
      case Function::atan:
        return series_.atan(x);
      case Function::erfc:
        return series_.erfc(x);
      case Function::lgamma:
        return series_.lgamma(x);
      default:
        return series_.polygamma(static_cast<int>(order->to_int64().value()), x);
    }
  };
  const bool positive_only = call.function == Function::lgamma || call.function == Function::polygamma;
  if (positive_only && !a.exact() && series_.sign(a.low) <= 0 && series_.sign(a.high) > 0)
    throw Undecided(std::string(name_of(call.function)) + " of a quantity without a settled sign");
  const SeriesPtr low = value(a.low);
  if (a.exact()) return exact(low);
  const SeriesPtr high = value(a.high);
  const AsymptoticEnclosure rising{low, high};
  const AsymptoticEnclosure falling{high, low};
  const auto minus = [&](const SeriesPtr& x, const Rational& c) {
    return series_.add(x, series_.constant(Form(-c)));
  };
  switch (call.function) {
    case Function::atan:
      return rising;
    case Function::erfc:
      return falling;
    case Function::lgamma:
      if (series_.sign(minus(a.low, Rational(3, 2))) >= 0) return rising;
      if (series_.sign(minus(a.high, Rational(7, 5))) <= 0) return falling;
      return {series_.constant(Form(Rational(-1, 8))), larger(low, high)};
    default:
      return order->is_even_integer() ? rising : falling;
  }
}

}  // namespace gpe::theory
