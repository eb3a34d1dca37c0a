#include "checks/sums/general_sum.h"

#include <algorithm>
#include <array>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"
#include "checks/halfline/pieces.h"
#include "checks/sums/fallback_sum.h"
#include "checks/sums/family/family_sum.h"
#include "checks/sums/range_sums.h"
#include "checks/sums/series_sum.h"
#include "checks/sums/stepped_sum.h"
#include "checks/sums/terms.h"
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr const char* kTime = "the time limit";
// Tried when the time does not do for all digits, until so many tenths of it.
struct Fewer {
  int digits;
  int tenths;
};
constexpr std::array<Fewer, 3> kFewer = {{{200, 9}, {40, 11}, {12, 12}}};

struct Problem {
  Expr score;
  std::int64_t first;
  std::optional<Rational> last;
  Context context;
};

constexpr std::chrono::milliseconds kLeast(3000);

enum class Way { family, smooth, classes, stepped, listed };

// The exponential-power family, which has its own summation.
GeneralSum over_family(const Problem& p, WantedMoments wanted, int digits) {
  theory::Form offset;
  const auto family = exponential_power(p.score, offset, context_from(Rational(p.first), p.context));
  if (!family || (p.last && *p.last < Rational(p.first))) throw theory::Undecided("another kind of score");
  std::optional<Integer> last;
  if (p.last) last = Integer::numerator(*p.last);
  const auto sum = family_sum(*family, p.first, last, wanted, digits, p.context);
  if (!sum) throw theory::Undecided("exponents out of proportion");
  GeneralSum result{sum->moments, wanted, sum->method, "", sum->bits};
  if (!offset.is_zero()) {
    const Ball constant = evaluate(theory::to_expr(offset), {}, sum->bits);
    result.moments = with_offset(sum->moments, constant, sum->bits);
  }
  return result;
}

// n = M k + r: one smooth sum over k for each r, where floors of polynomials do not step, and n e^A = M k e^A
// + r e^A.
GeneralSum over_classes(const Problem& p, WantedMoments wanted, int digits) {
  const std::int64_t modulus = theory::residue_modulus(p.score, p.context, kMaxClasses);
  if (p.last || modulus == 1 || !has_choices(p.score)) throw theory::Undecided("no residue classes");
  const Expr log_n = theory::log(Expr::symbol(theory::kIndex));
  if (theory::limit(p.score / log_n, p.context).high.kind == theory::Limit::Kind::minus_infinity)
    throw theory::Undecided("few blocks are summed in less time");
  GeneralSum result;
  result.proved = wanted;
  const std::vector<Expr> classes = theory::residue_classes(p.score, modulus);
  for (std::int64_t r = 0; r < modulus; ++r) {
    const auto k_of = [&](const Rational& n) { return (n - Rational(r)) / Rational(modulus); };
    const std::int64_t first = *k_of(Rational(p.first)).ceil().to_int64();
    SeriesSum sum(classes[static_cast<std::size_t>(r)], first, digits, p.context);
    Moments one = sum.total(wanted);
    one.d = add(mul(Ball(modulus), one.d, sum.bits()), mul(Ball(r), one.z, sum.bits()), sum.bits());
    result.moments = plus(result.moments, one, sum.bits());
    result.bits = sum.bits();
  }
  result.method = std::to_string(modulus) + " residue classes of n, each smooth";
  return result;
}

GeneralSum sum_by(Way way, const Problem& p, WantedMoments wanted, int digits) {
  if (way == Way::family) return over_family(p, wanted, digits);
  if (way == Way::classes) return over_classes(p, wanted, digits);
  GeneralSum result;
  result.proved = wanted;
  if (way == Way::stepped) {
    SteppedSum sum(p.score, p.first, digits, p.context);
    result.moments = sum.sum(p.last, wanted);
    result.method = sum.method();
    result.bits = sum.bits();
    return result;
  }
  if (way == Way::listed && !p.last) throw theory::Undecided("infinitely many terms");
  SeriesSum sum(p.score, p.first, digits, p.context);
  if (way == Way::listed)
    result.moments = sum.listed_up_to(*p.last);
  else
    result.moments = p.last ? sum.smooth_up_to(*p.last, wanted) : sum.total(wanted);
  result.method = sum.method();
  result.bits = sum.bits();
  return result;
}

// Decimal digits that are missing, judged by the numbers that are printed.
long missing_digits(const GeneralSum& sum, int digits) {
  const long needed = bits_of_digits(digits) + 4;
  std::int64_t least = sum.moments.z.relative_bits();
  if (sum.proved.s) least = std::min(least, entropy_of(sum.moments, sum.bits).relative_bits());
  if (sum.proved.d && !sum.moments.d.surely_zero()) least = std::min(least, sum.moments.d.relative_bits());
  return least >= needed
             ? 0
             : digits_of_bits(needed - static_cast<long>(std::max<std::int64_t>(least, -needed))) + 3;
}

// More digits until those asked for are proved, as far as time goes.
GeneralSum to_the_digits(Way way, const Problem& p, WantedMoments wanted, int digits) {
  GeneralSum best = sum_by(way, p, wanted, digits);
  int more = digits;
  for (int tries = 0; tries < 4; ++tries) {
    const long missing = missing_digits(best, digits);
    if (missing == 0) return best;
    more += static_cast<int>(missing);
    const auto next = theory::attempt([&] { return sum_by(way, p, wanted, more); });
    if (!next) {
      best.reason = next.reason();
      return best;
    }
    best = *next;
  }
  best.reason = "cancellation: more precision did not give more digits";
  return best;
}

// The sum to so many digits, in the tenths [from, to] of the time; nothing, and why, when that fails. Z alone
// may be easy where the mean distance is not: some time is kept for it.
struct Share {
  theory::Budget time;
  int from;
  int to;
};
struct Failure {
  std::string reason;
  bool out_of_time = false;
};

std::optional<GeneralSum> to_some_digits(Problem problem, WantedMoments wanted, int digits,
                                         const Share& share, Failure& failure) {
  std::vector<WantedMoments> attempts = {wanted};
  if (wanted.s && wanted.d) attempts.insert(attempts.end(), {{true, false}, {false, true}});
  if (wanted.s || wanted.d) attempts.push_back({false, false});
  int tenths = share.from;
  for (const WantedMoments attempt : attempts) {
    const int until = !attempt.s && !attempt.d ? share.to : std::min(tenths, share.to);
    problem.context = problem.context.within(share.time.until(until, 10));
    ++tenths;
    for (const Way way : {Way::family, Way::smooth, Way::classes, Way::stepped, Way::listed}) {
      const auto sum = attempt_all([&] { return to_the_digits(way, problem, attempt, digits); });
      if (sum) {
        GeneralSum result = *sum;
        if (result.reason.empty() && (attempt.s != wanted.s || attempt.d != wanted.d))
          result.reason = failure.reason;
        return result;
      }
      if (sum.why().end == theory::NotKnown::End::time_up) {
        if (failure.reason.empty()) failure.reason = kTime;
        failure.out_of_time = true;
        break;
      }
      if (way == Way::family || way == Way::classes) continue;
      if (failure.reason.empty() ||
          (way == Way::stepped && failure.reason.find("keeps stepping") != std::string::npos))
        failure.reason = sum.reason();
    }
  }
  return std::nullopt;
}

}  // namespace

GeneralSum general_sum(const Expr& score, std::int64_t first, const std::optional<Rational>& last,
                       WantedMoments wanted, int digits, const Context& whole) {
  const Context context = whole.question();
  if (last && !score.mentions(theory::kIndex)) {
    const long bits = working_bits(digits);
    return {sum_terms(score, Rational(first), *last, bits, context),
            {true, true},
            "closed form: equal terms",
            "",
            bits};
  }
  const Problem problem{score, first, last, context};
  Failure failure;
  if (auto sum = to_some_digits(problem, wanted, digits, {context.budget(), 6, 8}, failure)) return *sum;
  for (const auto& [fewer, tenths] : kFewer) {
    if (!failure.out_of_time || 2 * fewer > digits) continue;
    Failure again;
    Share share{context.budget(), tenths - 1, tenths};
    // the last attempt takes 0.3 s at least: less does not do on a busy machine, and hardly anything is left
    // after it
    if (fewer == kFewer.back().digits) {
      const theory::Budget::Duration each = context.budget().each().value_or(kLeast);
      share = {theory::Budget(std::max<theory::Budget::Duration>(each, kLeast) / 2).question(), 1, 2};
    }
    if (auto sum = to_some_digits(problem, wanted, fewer, share, again)) {
      sum->reason = failure.reason;
      return *sum;
    }
  }
  const auto fallback =
      attempt_all([&] { return fallback_sum(score, first, last, wanted, digits, context); });
  if (!fallback) throw theory::Undecided(failure.reason);
  GeneralSum result = *fallback;
  result.reason = failure.reason;
  return result;
}

}  // namespace gpe::checks
