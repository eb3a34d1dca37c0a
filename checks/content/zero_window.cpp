#include "checks/content/zero_window.h"

#include "checks/arb/expr_ball.h"
#include "checks/content/score_intervals.h"
#include "checks/halfline/count_search.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Normalizer;
using theory::Rational;

namespace {

constexpr long kZeroBits = 192;
constexpr std::int64_t kMaxNearer = 65536;
constexpr std::int64_t kMaxExact = 64;  // terms that are added exactly

Expr at(const Expr& score, const Rational& n) { return substitute(score, theory::kIndex, Expr(n)); }

int sign_of(const Expr& number, const Context& context) { return context.sign(to_form(number, context)); }

// Whether the key n, at its highest, has a positive weight of entmax beside nearer keys at their lowest:
//   Σ_{m < n} ((α - 1)(l_m - u_n))_+^{1/(α - 1)} < 1, where l does not rise.
bool in_support(const Expr& low, const Expr& high, const Expr& alpha, const Rational& first,
                const Rational& n, const Context& context) {
  const Expr rate = alpha - Expr(1), mine = at(high, n);
  const Ball scale = evaluate(rate, {}, kZeroBits);
  Ball sum(0);
  Expr exact(-1);
  std::int64_t terms = 0;
  for (Rational m = first; m < n; m += Rational(1), ++terms) {
    context.check_time();
    if (terms == kMaxNearer) throw theory::Undecided("too many keys are nearer, and higher");
    const Expr above = at(low, m) - mine;
    const Ball size = evaluate(above, {}, kZeroBits);
    if (size.surely_negative()) break;
    if (!size.surely_positive()) {
      if (sign_of(above, context) <= 0) break;
      throw theory::Undecided("two scores too close to be told apart");
    }
    sum = add(sum, exp(div(log(mul(scale, size, kZeroBits), kZeroBits), scale, kZeroBits), kZeroBits),
              kZeroBits);
    if (Ball(1).surely_less(sum)) return false;
    if (terms < kMaxExact) exact = exact + pow(rate * above, Expr(1) / rate);
  }
  if (sum.surely_less(Ball(1))) return true;
  if (terms > kMaxExact) throw theory::Undecided("two numbers too close to be told apart");
  return sign_of(exact, context) < 0;
}

}  // namespace

std::optional<BigCount> zero_window(const theory::ScoreFunction& law, const Rational& bound,
                                    const Context& whole) {
  const bool relu = law.normalizer == Normalizer::relu, entmax = law.normalizer == Normalizer::entmax;
  if (!relu && !entmax && law.normalizer != Normalizer::top_k) return std::nullopt;
  const auto find = [&]() -> BigCount {
    const Context context = whole.question();
    const Expr high = simplify_if_settled(theory::score_above(law, Expr(bound)), context);
    const Expr low = simplify_if_settled(theory::score_below(law, Expr(bound)), context);
    if (!falls_from_first(high, law.first, context) || (!relu && !falls_from_first(low, law.first, context)))
      throw theory::Undecided("the scores are not proved to fall with distance");
    const Rational first(law.first);
    // A key from `from` on has weight if its highest score is above `enough`; with entmax, also if few are
    // above.
    Rational from = first;
    if (!relu) from += entmax ? Rational(1) : Rational(*law.keys_selected);
    const Expr enough = relu ? Expr(0) : at(low, from - Rational(1));
    const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
    if (last && *last < from) return BigCount::of(*last);
    if (!last && surely_below(enough - high, Rational(0), from, context)) return BigCount::none();
    const auto has_weight = [&](const Rational& n) {
      context.check_time();
      if (entmax) return in_support(low, high, *law.normalizer_parameter, first, n, context);
      return sign_of(at(high, n) - enough, context) > 0;
    };
    const BigCount farthest = last_holding(has_weight, from, last, context);
    return farthest.kind == BigCount::Kind::none ? BigCount::of(std::max(first, from - Rational(1)))
                                                 : farthest;
  };
  return attempt_all(find).or_else(BigCount::unknown);
}

}  // namespace gpe::checks
