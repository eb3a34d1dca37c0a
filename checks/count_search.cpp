#include "checks/count_search.h"

#include <algorithm>

#include "checks/decimal.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr std::int64_t kExact = 30;  // integers up to 10^30 are written out
constexpr std::int64_t kMostDigits = 3000;

Rational power_of_ten(std::int64_t k) { return Rational(10).pow(k); }

constexpr std::int64_t kParts = 10000;  // log10 is bracketed between multiples of 1/10000

// An integer m with |log10 m - k/10000| < 10^-25, for k >= 30·10000.
Rational power_of_ten_part(std::int64_t k) {
  const long bits = 128 + static_cast<long>(k * 4 / kParts);
  const Ball x = mul(Ball(Rational(k, kParts), bits), log(Ball(10), bits), bits);
  return exp(x, bits).ends()->low.floor();
}

}  // namespace

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
    if (high > power_of_ten(kExact)) break;
  }
  if (last) high = std::min(high, *last);
  if (high > power_of_ten(kExact) && ask(power_of_ten(kExact))) {
    if (!last && ask(power_of_ten(kMostDigits))) throw theory::Undecided("beyond 10^3000");
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
    return BigCount::power_of_ten(proved_decimal(bracket.widened(slack), 10).text);
  }
  high = std::min(high, power_of_ten(kExact) + Rational(1));
  while (high - low > Rational(1)) {
    const Rational middle = ((low + high) / Rational(2)).floor();
    (ask(middle) ? low : high) = middle;
  }
  return BigCount::of(low);
}

}  // namespace gpe::checks
