#include "checks/content/score_intervals.h"
// Tests: tests/checks/content/entropy_band_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/content/last_distance.h"
#include "checks/halfline/direction.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/or_undecided.h"
#include "checks/halfline/pieces.h"
#include "checks/sums/terms.h"
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kMaxListed = 65536;
constexpr std::int64_t kMaxListedUnordered = 8192;
constexpr std::int64_t kMaxSteps = 4096;  // that are compared one by one
constexpr long kStepBits = 128;
constexpr std::int64_t kListed = 64;  // tokens that are always listed, so that the widest can be looked at

Moments at(const Ball& score, int copies, long bits) {
  const Ball w = mul(Ball(copies), exp(score, bits), bits);
  return {w, mul(score, w, bits), Ball::unknown()};
}

// A score for each residue class of n, as a function of k in n = M k + r, which is written n.
struct SmoothClasses {
  std::vector<Expr> scores;
  std::int64_t from;  ///< smooth for n >= from
};

SmoothClasses smooth_classes(const Expr& score, std::int64_t first, std::int64_t modulus,
                             const Context& context) {
  SmoothClasses result{{}, first};
  for (const Expr& one : theory::residue_classes(score, modulus)) {
    const MonotoneTail tail = monotone_tail(one, modulus == 1 ? first : 0, context);
    result.scores.push_back(tail.score);
    result.from = std::max(result.from, modulus * tail.from);
  }
  return result;
}

// Bias and amplitude: smooth in residue classes, or both as they are, with floors that keep stepping.
struct TailScores {
  SmoothClasses bias;
  SmoothClasses amplitude;
  Steps floors;
};

TailScores tail_scores(const Expr& bias, const Expr& amplitude, std::int64_t first, std::int64_t modulus,
                       const Context& context) {
  const auto smooth = theory::attempt_in_time([&] {
    return TailScores{smooth_classes(bias, first, modulus, context),
                      smooth_classes(amplitude, first, modulus, context), Steps::none};
  });
  if (smooth) return *smooth;
  if (modulus > 1 || !has_choices(bias)) smooth.why().raise();
  return {{{bias}, first}, {{amplitude}, first}, Steps::floors};
}

std::pair<std::vector<Expr>, std::vector<Expr>> highest_and_lowest(const SmoothClasses& bias,
                                                                   const SmoothClasses& amplitude,
                                                                   const Context& context) {
  std::pair<std::vector<Expr>, std::vector<Expr>> result;
  for (std::size_t r = 0; r < bias.scores.size(); ++r) {
    result.first.push_back(simplify(bias.scores[r] + amplitude.scores[r], context));
    result.second.push_back(simplify(bias.scores[r] - amplitude.scores[r], context));
  }
  return result;
}

// The modulus of the residue classes in which floors that keep stepping do not; 1 where none does.
std::int64_t steps_by_residues(const Expr& bias, const Expr& amplitude, std::int64_t first,
                               const Context& context) {
  if (first < 0 || (!has_choices(bias) && !has_choices(amplitude))) return 1;
  const std::int64_t modulus = theory::residue_modulus(bias + amplitude, context, kMaxClasses);
  const auto settles = [&](const Expr& e) {
    return bool(theory::attempt_in_time([&] { return monotone_tail(e, first, context); }));
  };
  return modulus > 1 && settles(bias) && settles(amplitude) ? 1 : modulus;
}

}  // namespace

bool never_rises(const Expr& f, std::int64_t from, const Context& context) {
  if (!f.mentions(theory::kIndex)) return true;
  if (has_choices(f)) return surely_never_rises(f, Rational(from), context);
  const Expr slope = simplify(theory::derivative(f, theory::kIndex), context);
  return slope.is_number(0) || surely_below(slope, Rational(0), Rational(from), context);
}

bool falls_from_first(const Expr& score, std::int64_t first, const Context& context) {
  const auto found = attempt_all([&] {
    const Expr settled = simplify_if_settled(score, context);
    if (has_choices(settled) && surely_never_rises(settled, Rational(first), context)) return true;
    const MonotoneTail tail = monotone_tail(settled, first, context);
    std::int64_t from = std::max(first, tail.from);  // on real numbers; before it, from token to token
    for (; !never_rises(tail.score, from, context); from = std::max<std::int64_t>(2 * from, 4))
      if (from > kMaxSteps) return false;
    const auto at = [&](std::int64_t n) { return substitute(settled, theory::kIndex, Expr(n)); };
    for (std::int64_t n = first; n < from; ++n) {
      context.check_time();
      const Expr step = at(n + 1) - at(n);
      const bool falls = evaluate(step, {}, kStepBits).surely_negative();
      if (!falls && context.sign(to_form(step, context)) > 0) return false;
    }
    return true;
  });
  return found && *found;
}

std::optional<Ball> kappa(const Ball& low, const Ball& high, long bits) {
  const Ball a = div(sub(high, low, bits), Ball(2), bits);
  if (a.may_be_zero()) return std::nullopt;
  const Ball middle = div(add(high, low, bits), Ball(2), bits);
  Ball coth;
  arb_coth(coth.raw(), a.raw(), bits);
  return add(middle, mul(a, coth, bits), bits);
}

ScoreIntervals ScoreIntervals::of(const theory::ScoreFunction& law, const Rational& bound,
                                  const std::optional<Rational>& length, Wants wants, int digits,
                                  const Context& context) {
  ScoreIntervals box({}, working_bits(digits) + 32);
  const auto closed = [&](const Expr& e) { return simplify_if_settled(at_length(e, law, length), context); };
  box.bias_ = closed(law.bias);
  box.amplitude_ = closed(theory::amplitude(law, Expr(bound)));
  if (!length && (box.bias_.mentions(theory::kLength) || box.amplitude_.mentions(theory::kLength))) {
    throw theory::Undecided("the score depends on L");
  }
  const std::optional<Rational> last = last_distance(law, length);
  if (law.sink && (length || !law.sink->mentions(theory::kLength)))
    box.sink_ = exp(evaluate(closed(*law.sink), {}, box.bits_), box.bits_);
  box.copies_ = law.two_sided ? 2 : 1;

  std::int64_t listed_to = law.first - 1;  // the last token of the list
  const bool all_listed = last && *last - Rational(law.first) < Rational(kListed);
  if (!all_listed) {
    const std::int64_t modulus = steps_by_residues(box.bias_, box.amplitude_, law.first, context);
    const auto take_tail = [&](Wants order) {
      const auto [bias, amplitude, floors] =
          tail_scores(box.bias_, box.amplitude_, law.first, modulus, context);
      std::int64_t from = std::max({bias.from, amplitude.from, law.first});
      const auto ends = highest_and_lowest(bias, amplitude, context);
      const auto &high = ends.first, &low = ends.second;  // no structured binding: clang 14 captures none
      const bool steps = modulus > 1 || floors == Steps::floors;
      const Expr b = steps ? box.bias_ : bias.scores.front();
      const Expr a = steps ? box.amplitude_ : amplitude.scores.front();
      const bool for_entropy = wants == Wants::entropy;  // of sums; `order` may ask for less
      const auto orders_tokens = [&](std::int64_t n) {
        if (order == Wants::sums) return true;
        const bool both = never_rises(b, n, context) && never_rises(a, n, context);
        if (both && !for_entropy) return true;
        return (both || never_rises(steps ? b + a : high.front(), n, context)) &&
               never_rises(steps ? b - a : low.front(), n, context);  // κ falls
      };
      while (!orders_tokens(from)) {
        context.check_time();
        from = std::max<std::int64_t>(2 * from, 4);
        if (from > kMaxListed) throw theory::Undecided("the scores are not proved to fall with distance");
      }
      if (from > kMaxListed)
        throw theory::Undecided("bias or gain is smooth only from n = " + std::to_string(from) + " on");
      listed_to = std::max(from, law.first + kListed) - 1;
      box.high_ =
          std::make_shared<RangeSums>(high, listed_to + 1, last, for_entropy, digits, context, floors);
      box.low_ = std::make_shared<RangeSums>(low, listed_to + 1, last, for_entropy, digits, context, floors);
      box.bias_ = b;
      box.amplitude_ = a;
    };
    const auto fall = theory::attempt_in_time([&] { take_tail(wants); });
    if (!fall && (!last || *last - Rational(law.first) > Rational(kMaxListed))) {
      const auto converges = [&] {
        return last || theory::decide_sum(box.bias_ + box.amplitude_, context).converges;
      };
      if (wants == Wants::sums || !theory::attempt_in_time(converges).value_or(false) ||
          !theory::attempt_in_time([&] { take_tail(Wants::sums); }))
        fall.why().raise();
      listed_to = box.list_until_negligible(listed_to, digits);
      if (listed_to > kMaxListedUnordered) fall.why().raise();
    }
  }
  if (!box.has_tail() && box.negligible_.z.surely_zero()) listed_to = *last->to_int64();  // all of them
  if (last) listed_to = std::min(listed_to, last->to_int64().value_or(listed_to));
  const Expr bias = closed(law.bias);
  const Expr amplitude = closed(theory::amplitude(law, Expr(bound)));
  for (std::int64_t n = law.first; n <= listed_to; ++n) {
    context.check_time();
    const Ball b = term_value(bias, Rational(n), box.bits_, context);
    const Ball a = term_value(amplitude, Rational(n), box.bits_, context);
    box.head_.push_back({Rational(n), sub(b, a, box.bits_), add(b, a, box.bits_), n == 0 ? 1 : box.copies_});
  }
  if (box.has_tail() && last && Rational(listed_to) >= *last) box.high_ = box.low_ = nullptr;
  return box;
}

Ball ScoreIntervals::tail_kappa(const Rational& n) const {
  if (low_->steps()) return kappa(low_->value(n), high_->value(n), bits_).value_or(Ball::unknown());
  const Ball at(n, bits_);
  const Ball b = evaluate(bias_, {{theory::kIndex, at}}, bits_);
  const Ball a = evaluate(amplitude_, {{theory::kIndex, at}}, bits_);
  return kappa(sub(b, a, bits_), add(b, a, bits_), bits_).value_or(Ball::unknown());
}

std::int64_t ScoreIntervals::list_until_negligible(std::int64_t listed_to, int digits) {
  const Ball first =
      mul(exp(low_->value(Rational(low_->first())), bits_), Ball(Rational(1, 10).pow(digits), bits_), bits_);
  for (;; listed_to *= 2) {
    negligible_ = high_->beyond(Rational(listed_to));
    for (Ball* sum : {&negligible_.z, &negligible_.s}) *sum = mul(Ball(copies_), *sum, bits_);
    if (negligible_.z.surely_less(first) || listed_to > kMaxListedUnordered) break;
  }
  high_ = low_ = nullptr;
  return listed_to;
}

Moments all_low(const ScoreIntervals& box) {
  Moments sum;
  for (const Token& token : box.head()) sum = plus(sum, at(token.low, token.copies, box.bits()), box.bits());
  if (!box.has_tail()) return sum;
  for (int i = 0; i < box.copies(); ++i) sum = plus(sum, box.low().total(), box.bits());
  return sum;
}

}  // namespace gpe::checks
