#include "checks/halfline/count_search.h"

#include <algorithm>

#include "checks/arb/decimal.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr std::int64_t kExact = 30;  // integers up to 10^30 are written out
constexpr std::int64_t kMaxDigits = 3000;

Rational one_and_zeros(std::int64_t k) { return Rational(10).pow(k); }

constexpr std::int64_t kParts = 10000;  // log10 is bracketed between multiples of 1/10000

// An integer m with |log10 m - k/10000| < 10^-25, for k >= 30·10000.
Rational power_of_ten_part(std::int64_t k) {
  const long bits = 128 + static_cast<long>(k * 4 / kParts);
  const Ball x = mul(Ball(Rational(k, kParts), bits), log(Ball(10), bits), bits);
  return exp(x, bits).ends()->low.floor();
}

}  // namespace

BigCount power_of_ten(const Ball& exponent) {
  const Decimal text = proved_decimal(exponent, 16);
  if (text.digits > 0 && text.text.find('e') == std::string::npos) return BigCount::power_of_ten(text.text);
  const auto ends = exponent.ends();
  if (!ends) return BigCount::unknown("beyond 10^30");
  return BigCount::unknown("between 10^" + ends->low.floor().str() + " and 10^" +
                           (ends->high.floor() + Rational(1)).str());
}

BigCount last_holding(const std::function<bool(const Rational&)>& holds, const Rational& first,
                      const std::optional<Rational>& last, const theory::Context& context) {
  const auto ask = [&](const Rational& n) {
    context.check_time();
    return holds(n);
  };
  if (!ask(first)) return BigCount::none();
  if (last && ask(*last)) return BigCount::of(*last);
  Rational low = first;
  Rational step(1);
  Rational high = first + step;
  while (!(last && high >= *last) && ask(high)) {
    low = high;
    step *= Rational(2);
    high = first + step;
    if (high > one_and_zeros(kExact)) break;
  }
  if (last) high = std::min(high, *last);
  if (high > one_and_zeros(kExact) && ask(one_and_zeros(kExact))) {
    if (!last && ask(one_and_zeros(kMaxDigits))) throw theory::Undecided("beyond 10^3000");
    std::int64_t good = kParts * kExact;
    std::int64_t jump = kParts;
    while (ask(power_of_ten_part(good + jump))) {
      good += jump;
      jump *= 2;
    }
    std::int64_t bad = good + jump;
    while (bad - good > 1) {
      const std::int64_t middle = (good + bad) / 2;
      (ask(power_of_ten_part(middle)) ? good : bad) = middle;
    }
    const Ball slack(Rational(1, 10).pow(20), 128);
    const Ball bracket = Ball::hull(Ball(Rational(good, kParts), 128), Ball(Rational(bad, kParts), 128), 128);
    return power_of_ten(bracket.widened(slack));
  }
  high = std::min(high, one_and_zeros(kExact) + Rational(1));
  while (high - low > Rational(1)) {
    const Rational middle = ((low + high) / Rational(2)).floor();
    (ask(middle) ? low : high) = middle;
  }
  return BigCount::of(low);
}

}  // namespace gpe::checks
