#include "checks/content/over_gates.h"

#include "checks/content/last_distance.h"
#include "checks/halfline/or_undecided.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr long kGateBits = 256;

// Scores anywhere between the lowest of the constant gate `low` and the highest of `high`, at the bound 1.
theory::ScoreFunction between(const theory::ScoreFunction& low, const theory::ScoreFunction& high,
                              const Rational& bound) {
  const Expr least = theory::score_below(low, Expr(bound));
  const Expr most = theory::score_above(high, Expr(bound));
  theory::ScoreFunction result = high;
  result.softcap.reset();
  result.transform = theory::Transform::identity;
  result.has_content = true;
  result.norm = Expr(1);
  result.bias = (least + most) / Expr(2);
  result.gain = (most - least) / Expr(2);
  return result;
}

}  // namespace

EntropyBand entropy_band_over_gates(const theory::ScoreFunction& law, const EntropyBand& of_high,
                                    const Rational& bound, const std::optional<Rational>& length, int digits,
                                    const Context& whole) {
  const theory::Path& path = *law.path;
  const theory::ScoreFunction high = theory::with_constant_gate(law, path.high);
  const std::optional<Rational> last = last_distance(law, length);
  EntropyBand band{of_high.upper, {Finite::yes, Ball(0), ""}};
  EntropyBand all;  // of scores between those of both constant gates
  if (path.low) {
    const theory::ScoreFunction low = theory::with_constant_gate(law, *path.low);
    all = entropy_band(between(low, high, bound), Rational(1), length, digits, whole);
    band.lower = all.lower;
    if (all.lower.finite != Finite::no) {
      band.lower = entropy_band(low, bound, length, digits, whole).lower;
      const Ball proved = all.lower.is_enclosed() ? all.lower.value.lower(kGateBits) : Ball(0);
      if (!band.lower.is_enclosed()) {
        band.lower = {Finite::unknown, Ball::unknown(),
                      "the least entropy of the constant gate at the lower end is not known"};
      } else {
        band.lower.value = Ball::hull(proved, band.lower.value.upper(kGateBits), kGateBits);
      }
    }
  } else if (last) {
    all.upper = {Finite::yes, log(Ball(*last - Rational(law.first - 1), kGateBits), kGateBits), ""};
  } else {
    all.upper.reason =
        "the scores of the constant gate at the upper end are not proved to fall with distance";
  }
  if (!of_high.upper.is_enclosed()) return band;
  const Context context = whole.question();
  if (falls_from_first(theory::score_above(high, Expr(bound)), law.first, context) &&
      falls_from_first(theory::score_below(high, Expr(bound)), law.first, context))
    return band;
  band.upper = all.upper;
  if (all.upper.is_enclosed())
    band.upper.value = Ball::hull(of_high.upper.value.lower(kGateBits), all.upper.value, kGateBits);
  return band;
}

}  // namespace gpe::checks
