#include "checks/report/curves.h"

#include <cmath>
#include <tuple>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/sums/sums.h"
#include "theory/exact/attempt.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

namespace {

using theory::Rational;

// 0, 1, 2, … and then by equal factors, up to L; as many as `points`, or L + 1.
std::vector<Rational> spread(const Rational& length, int points) {
  const double most = std::log1p(length.approximate());
  std::vector<Rational> result;
  for (int i = 0; i < points; ++i) {
    const double at = std::expm1(most * i / std::max(1, points - 1));
    int exponent = 0;  // of what is too large for an integer
    if (at > 0x1p60) exponent = std::ilogb(at) - 60;
    Rational n = i + 1 == points
                     ? length
                     : Rational(static_cast<std::int64_t>(std::llround(std::scalbn(at, -exponent)))) *
                           Rational(2).pow(exponent);
    if (result.empty() || n > result.back()) result.push_back(std::move(n));
  }
  return result;
}

std::optional<Ball> value_at(const theory::Expr& expression, const Rational& n, const Rational& query,
                             long bits) {
  const auto value_there = [&]() -> std::optional<Ball> {
    const theory::Expr there = substitute(substitute(expression, theory::kIndex, theory::Expr(n)),
                                          theory::kLength, theory::Expr(query));
    const Ball value = evaluate(there, {}, bits);
    return value.is_finite() ? std::optional(value) : std::nullopt;
  };
  return theory::attempt<theory::Undecided, theory::EvaluationError>(value_there).value_or(std::nullopt);
}

// Z and S = sum of A e^A over the first tokens, one term after the other: for many lengths at once.
class RunningSum {
 public:
  RunningSum(const theory::ScoreFunction& law, long bits) : law_(law), bits_(bits) {}
  /// H and Z of the distances up to n; nothing past kMaxTerms, or where a term is not known.
  std::optional<std::pair<Ball, Ball>> up_to(const Rational& n) {
    if (n - Rational(law_.first) > Rational(kMaxTerms) || law_.depends_on_length()) return std::nullopt;
    const Rational end = law_.last() ? std::min(n, Rational(*law_.last())) : n;
    for (; known_ && Rational(next_) <= end; ++next_) {
      const Ball score = evaluate(law_.bias, {{theory::kIndex, Ball(next_)}}, bits_);
      const Ball one_side = exp(score, bits_);
      const Ball weight = law_.two_sided && next_ > 0 ? add(one_side, one_side, bits_) : one_side;
      z_ = add(z_, weight, bits_);
      s_ = add(s_, mul(score, weight, bits_), bits_);
      known_ = score.is_finite();
    }
    if (!known_) return std::nullopt;
    return std::pair(sub(log(z_, bits_), div(s_, z_, bits_), bits_), z_);
  }

 private:
  static constexpr std::int64_t kMaxTerms = 1 << 16;
  const theory::ScoreFunction& law_;
  long bits_;
  std::int64_t next_ = law_.first;
  Ball z_, s_;
  bool known_ = true;
};

}  // namespace

std::vector<CurvePoint> curves_of(const theory::ScoreFunction& law, const GrowthLaw& growth,
                                  const CurveQuestion& asked, const theory::Context& whole) {
  const theory::Context context = whole.question().whole();
  const long bits = working_bits(kCurveDigits);
  const Rational first(law.first), query = first + asked.length;  // its index, L in a formula
  const PartialSum all = enclose_partial_sum(law, asked.length, kCurveDigits, context);
  std::vector<std::pair<theory::Expr, theory::Expr>> ends;  // of the score, by bound
  for (const Rational& bound : asked.content_bounds)
    ends.emplace_back(score_below(law, theory::Expr(bound)), score_above(law, theory::Expr(bound)));
  std::vector<CurvePoint> result;
  for (const Rational& distance : spread(asked.length, asked.points)) {
    CurvePoint point;
    point.n = first + distance;
    const bool kept = !law.last() || point.n <= Rational(*law.last());
    if (kept) point.score = value_at(law.bias, point.n, query, bits);
    const auto at = [&](const theory::Expr& score) {
      return kept ? value_at(score, point.n, query, bits).value_or(Ball::unknown()) : Ball::unknown();
    };
    for (const auto& [low, high] : ends) {
      point.low.push_back(at(low));
      point.high.push_back(at(high));
    }
    if (all.reason.empty() && point.score) point.weight = div(exp(*point.score, bits), all.z, bits);
    result.push_back(std::move(point));
  }
  RunningSum running(law, bits + 32);
  for (CurvePoint& point : result) {
    const Rational length = point.n - first;
    if (const auto known = running.up_to(point.n)) {
      std::tie(point.entropy, point.z) = *known;
    } else if (!context.budget().is_over()) {
      const PartialSum sum = enclose_partial_sum(law, length, kCurveDigits, context);
      if (!sum.reason.empty()) continue;
      point.z = sum.z;
      point.entropy = sum.entropy;
    } else {
      continue;
    }
    if (all.reason.empty() && !law.depends_on_length()) point.mass = div(*point.z, all.z, bits);
    if (const auto error = growth.z_error(*point.z, length, bits))
      point.z_law = div(*point.z, add(*error, Ball(1), bits), bits);
    if (const auto error = growth.entropy_error(*point.entropy, length, bits))
      point.entropy_law = sub(*point.entropy, *error, bits);
  }
  std::erase_if(result, [](const CurvePoint& point) { return !point.score && !point.z; });
  return result;
}

}  // namespace gpe::checks
