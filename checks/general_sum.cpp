#include "checks/general_sum.h"

#include <algorithm>

#include "checks/expr_ball.h"
#include "checks/series_sum.h"
#include "checks/stepped_sum.h"
#include "checks/tail_claims.h"
#include "theory/convergence.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kCrudeTerms = 20000;

struct Problem {
  Expr score;
  std::int64_t first;
  std::optional<Rational> last;
  const theory::ConstantOracle& oracle;
  Context::Clock::time_point deadline;
};

GeneralSum smooth_or_stepped(const Problem& p, Wanted wanted, int digits, bool stepped) {
  GeneralSum result;
  result.proved = wanted;
  if (stepped) {
    SteppedSum sum(p.score, p.first, digits, p.oracle, p.deadline);
    result.moments = sum.sum(p.last, wanted);
    result.method = sum.method();
    result.bits = sum.bits();
    return result;
  }
  SeriesSum sum(p.score, p.first, {digits, std::chrono::milliseconds(0)}, p.oracle, p.deadline);
  result.moments = p.last ? sum.up_to(*p.last, wanted) : sum.total(wanted);
  result.method = sum.method();
  result.bits = sum.bits();
  return result;
}

// Decimal digits that are missing, judged by the numbers that are printed.
long missing_digits(const GeneralSum& sum, int digits) {
  const long needed = static_cast<long>(3.3220 * digits) + 4;
  long least = sum.moments.z.relative_bits();
  if (sum.proved.s) least = std::min(least, entropy_of(sum.moments, sum.bits).relative_bits());
  if (sum.proved.d && !sum.moments.d.surely_zero()) least = std::min(least, sum.moments.d.relative_bits());
  return least >= needed ? 0 : (needed - std::max(least, -needed)) * 10 / 33 + 3;
}

// More digits until those asked for are proved, as far as time goes.
GeneralSum to_the_digits(const Problem& p, Wanted wanted, int digits, bool stepped) {
  GeneralSum best = smooth_or_stepped(p, wanted, digits, stepped);
  int more = digits;
  for (int tries = 0; tries < 4; ++tries) {
    const long missing = missing_digits(best, digits);
    if (missing == 0) return best;
    more += static_cast<int>(missing);
    try {
      best = smooth_or_stepped(p, wanted, more, stepped);
    } catch (const theory::Undecided& undecided) {
      best.reason = undecided.what();
      return best;
    }
  }
  best.reason = "cancellation: more precision did not give more digits";
  return best;
}

// Σ_{n>=N} e^score <= e^C·L_k(N - 1)^-eta/eta, from a ladder claim that holds from N on.
std::optional<Ball> ladder_bound(const Expr& score, std::int64_t from, const Context& context) {
  const theory::SumDecision decision = theory::decide_sum(score, context);
  if (!decision.converges) return std::nullopt;
  const auto claim = prove_ladder(score, decision, context);
  if (!claim || !claim->threshold.first_integer || *claim->threshold.first_integer > Rational(from - 1)) {
    return std::nullopt;
  }
  const long bits = 64;
  Ball rung(from - 1);
  for (int k = 0; k < claim->level; ++k) rung = log(rung, bits);
  const Ball bound =
      exp(sub(Ball(claim->constant, bits), mul(Ball(claim->eta, bits), log(rung, bits), bits), bits), bits);
  return div(bound, Ball(claim->eta, bits), bits);
}

GeneralSum crude(const Problem& p, Wanted wanted, const SumOptions& options) {
  Context context(p.oracle);
  context.set_deadline(Context::Clock::now() +
                       std::max(std::chrono::milliseconds(500), options.time_limit / 4));
  GeneralSum result;
  result.bits = bits_for(options.digits);
  result.proved = wanted;
  result.method = "sum of 20000 terms and a bound of the rest";
  const std::int64_t last = p.first + kCrudeTerms - 1;
  result.moments = sum_terms(p.score, p.first, last, result.bits, context);
  const auto bound = [&](const Expr& exponent, bool needed, bool& proved) {
    const auto rest = needed ? ladder_bound(exponent, last + 1, context) : std::nullopt;
    proved = rest.has_value();
    return rest.value_or(Ball::unknown());
  };
  bool proved_z = false;
  Moments rest;
  rest.z = bound(p.score, true, proved_z);
  rest.s = bound(p.score + theory::log(-p.score), wanted.s, result.proved.s);
  rest.d = bound(p.score + theory::log(Expr::symbol(theory::kIndex)), wanted.d, result.proved.d);
  if (!proved_z) throw theory::Undecided("the bound of the terms left out");
  result.moments = with_rest(result.moments, rest, result.proved, result.bits);
  return result;
}

}  // namespace

GeneralSum general_sum(const Expr& score, std::int64_t first, const std::optional<Rational>& last,
                       Wanted wanted, const SumOptions& options, const theory::ConstantOracle& oracle) {
  const Problem problem{score, first, last, oracle, Context::Clock::now() + options.time_limit};
  std::string reason;
  try {
    for (const Wanted attempt : {wanted, Wanted{wanted.s, false}, Wanted{false, false}}) {
      for (const bool stepped : {false, true}) {
        try {
          GeneralSum result = to_the_digits(problem, attempt, options.digits, stepped);
          if (result.reason.empty() && (attempt.s != wanted.s || attempt.d != wanted.d))
            result.reason = reason;
          return result;
        } catch (const theory::TimeUp&) {
          throw;
        } catch (const theory::Undecided& undecided) {
          if (reason.empty() || (stepped && reason.find("keeps stepping") != std::string::npos)) {
            reason = undecided.what();
          }
        }
      }
      if (!attempt.s && !attempt.d) break;
    }
  } catch (const theory::TimeUp&) {
    reason = "the time limit";
  }
  if (last) throw theory::Undecided(reason);
  GeneralSum result = crude(problem, wanted, options);
  result.reason = reason;
  return result;
}

}  // namespace gpe::checks
