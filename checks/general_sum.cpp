#include "checks/general_sum.h"

#include <algorithm>

#include "checks/crude_sum.h"
#include "checks/expr_ball.h"
#include "checks/family_sum.h"
#include "checks/half_line.h"
#include "checks/series_sum.h"
#include "checks/stepped_sum.h"
#include "theory/expr_eval.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

struct Problem {
  Expr score;
  std::int64_t first;
  std::optional<Rational> last;
  const theory::ConstantOracle& oracle;
  Context::Clock::time_point deadline;
};

enum class Way { family, smooth, stepped };

// The exponential-power family, which has its own summation.
GeneralSum over_family(const Problem& p, Wanted wanted, int digits) {
  Context context(p.oracle);
  context.set_deadline(p.deadline);
  theory::Form offset;
  const auto family = exponential_power(p.score, offset, context_from(Rational(p.first), context));
  if (!family || (p.last && *p.last < Rational(p.first))) throw theory::Undecided("another kind of score");
  std::optional<Integer> last;
  if (p.last) last = Integer::numerator(*p.last);
  const auto sum = family_sum(*family, p.first, last, wanted, digits, context);
  if (!sum) throw theory::Undecided("exponents out of proportion");
  GeneralSum result{sum->moments, wanted, sum->method, "", sum->bits};
  if (!offset.is_zero()) {
    const Ball constant = evaluate(theory::to_expr(offset), {}, sum->bits);
    result.moments = with_offset(sum->moments, constant, sum->bits);
  }
  return result;
}

GeneralSum sum_in(Way way, const Problem& p, Wanted wanted, int digits) {
  if (way == Way::family) return over_family(p, wanted, digits);
  GeneralSum result;
  result.proved = wanted;
  if (way == Way::stepped) {
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
GeneralSum to_the_digits(Way way, const Problem& p, Wanted wanted, int digits) {
  GeneralSum best = sum_in(way, p, wanted, digits);
  int more = digits;
  for (int tries = 0; tries < 4; ++tries) {
    const long missing = missing_digits(best, digits);
    if (missing == 0) return best;
    more += static_cast<int>(missing);
    try {
      best = sum_in(way, p, wanted, more);
    } catch (const theory::Undecided& undecided) {
      best.reason = undecided.what();
      return best;
    }
  }
  best.reason = "cancellation: more precision did not give more digits";
  return best;
}

// What was missing, whichever part said so.
template <class Work>
auto or_undecided(const Work& work) {
  try {
    return work();
  } catch (const theory::Undefined& undefined) {
    throw theory::Undecided(undefined.what());
  } catch (const theory::EvaluationError& error) {
    throw theory::Undecided(error.what());
  } catch (const theory::SplitRequest& request) {
    throw theory::Undecided("the sign of " + theory::to_text(request.form) + " is left open");
  }
}

}  // namespace

GeneralSum general_sum(const Expr& score, std::int64_t first, const std::optional<Rational>& last,
                       Wanted wanted, const SumOptions& options, const theory::ConstantOracle& oracle) {
  const Context::Clock::time_point begin = Context::Clock::now();
  Problem problem{score, first, last, oracle, begin};
  std::string reason;
  // Z alone may be easy where the mean distance is not: some time is kept for it.
  int share = 6;
  std::vector<Wanted> attempts = {wanted};
  if (wanted.s && wanted.d) attempts.insert(attempts.end(), {{true, false}, {false, true}});
  if (wanted.s || wanted.d) attempts.push_back({false, false});
  for (const Wanted attempt : attempts) {
    problem.deadline = begin + options.time_limit * share / 10;
    if (!attempt.s && !attempt.d) problem.deadline = begin + options.time_limit;
    share = std::min(10, share + 1);
    try {
      for (const Way way : {Way::family, Way::smooth, Way::stepped}) {
        try {
          GeneralSum result =
              or_undecided([&] { return to_the_digits(way, problem, attempt, options.digits); });
          if (result.reason.empty() && (attempt.s != wanted.s || attempt.d != wanted.d))
            result.reason = reason;
          return result;
        } catch (const theory::TimeUp&) {
          throw;
        } catch (const theory::Undecided& undecided) {
          if (way == Way::family) continue;
          const bool steps = reason.find("keeps stepping") != std::string::npos;
          if (reason.empty() || (way == Way::stepped && steps)) reason = undecided.what();
        }
      }
    } catch (const theory::TimeUp&) {
      if (reason.empty()) reason = "the time limit";
    }
  }
  GeneralSum result;
  try {
    result = or_undecided([&] { return crude_sum(score, first, last, wanted, options, oracle); });
  } catch (const theory::Undecided&) {
    throw theory::Undecided(reason);
  }
  result.reason = reason;
  return result;
}

}  // namespace gpe::checks
