#include "checks/compare/tilt.h"
// Tests: tests/checks/compare/comparison_test.cpp
#include "checks/arb/precision.h"
#include "checks/halfline/block_search.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"
#include "checks/sums/family/exponential_power.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

int sign_at(const Expr& g, const Rational& n, const Context& context) {
  return context.sign(to_form(substitute(g, theory::kIndex, Expr(n)), context));
}

template <class Work>
bool proved(const Work& work) {
  return attempt_all(work).value_or(false);
}

bool mentioned_elsewhere(const theory::ScoreFunction& law, const std::string& parameter) {
  const auto has = [&](const std::optional<Expr>& e) { return e && e->mentions(parameter); };
  return law.gain.mentions(parameter) || law.norm.mentions(parameter) || has(law.softcap) || has(law.sink) ||
         has(law.window_size);
}

}  // namespace

bool never_rises_over_integers(const Expr& g, std::int64_t first, const Context& base) {
  return proved([&] {
    const Rational from(first);
    const Context context = context_from(from, base);
    const Expr simple = simplify(g, context);
    if (!simple.mentions(theory::kIndex)) return true;
    theory::Form offset;
    if (exponential_power(simple, offset, context)) return true;
    // steps one by one, by the slope over whole blocks, and by its sign for all large n; a slope that tends
    // to 0 keeps away from it after a factor n^k
    const Expr n = Expr::symbol(theory::kIndex);
    const Expr step = substitute(simple, theory::kIndex, n + Expr(1)) - simple;
    const Expr slope = simplify(theory::derivative(simple, theory::kIndex), context);
    const Statement not_up{
        [&](const Range& block) {
          const Range wider{block.low, add(block.high, Ball(1), kSearchBits), block.defined};
          const Range s = over_block(slope, wider, kSearchBits, base.budget());
          return s.defined && s.high.is_finite() && s.high.surely_at_most(Ball(0)) &&
                 over_block(simple, wider, kSearchBits, base.budget()).defined;
        },
        [&](const Rational& at) { return sign_at(step, at, context) <= 0; },
        [&](const Rational& low) {
          if (!surely_defined(simple, low, base)) return false;
          Expr scaled = slope;
          for (int k = 0; k <= 3; ++k, scaled = simplify(scaled * n, context)) {
            if (surely_below(scaled, 0, low, base)) return true;
          }
          return false;
        }};
    return first_failure(not_up, from, std::nullopt, context).proved_everywhere;
  });
}

std::optional<Tilt> tilt_of(const theory::ScoreFunction& law, const std::string& parameter,
                            const Rational& low, const Rational& high, const Context& base) {
  if (law.depends_on_length() || !law.bias.mentions(parameter) || mentioned_elsewhere(law, parameter))
    return std::nullopt;
  Tilt result;
  const bool affine = proved([&] {
    const Context context = context_from(Rational(law.first), base);
    const Expr slope = simplify(theory::derivative(law.bias, parameter), context);
    if (slope.mentions(parameter)) return false;
    result.slope = slope;
    result.base = simplify(substitute(law.bias, parameter, Expr(0)), context);
    return slope.mentions(theory::kIndex);
  });
  if (!affine) return std::nullopt;
  for (const Rational& end : {low, high}) {
    if (!never_rises_over_integers(substitute(law.bias, parameter, Expr(end)), law.first, base))
      return std::nullopt;
  }
  if (never_rises_over_integers(result.slope, law.first, base)) {
    result.direction = -1;
  } else if (never_rises_over_integers(-result.slope, law.first, base)) {
    result.direction = 1;
  } else {
    return std::nullopt;
  }
  return result;
}

bool is_monotone(const Tilt& tilt, ComparedQuantity quantity, const theory::ScoreFunction& law,
                 const Context& context) {
  switch (quantity) {
    case ComparedQuantity::entropy:
    case ComparedQuantity::mean_distance:
      return true;
    case ComparedQuantity::window:
      return !law.two_sided;
    case ComparedQuantity::self_reach:
      return !law.two_sided && !law.sink;
    case ComparedQuantity::local_range:
      return proved([&] {
        const Rational first(law.first);
        return sign_at(tilt.slope, first, context) == 0 && sign_at(tilt.base, first, context) == 0;
      });
    case ComparedQuantity::reach:
    case ComparedQuantity::deviation:
    case ComparedQuantity::probability:
      return false;
  }
  return false;
}

Expr where_range_ends(const Tilt& tilt, const Rational& next, const Rational& threshold,
                      const Context& context) {
  return or_undecided([&] {
    const auto at = [&](const Expr& g) { return substitute(g, theory::kIndex, Expr(next)); };
    return simplify((-Expr(threshold) - at(tilt.base)) / at(tilt.slope), context);
  });
}

}  // namespace gpe::checks
