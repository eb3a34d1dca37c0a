#include "checks/content/frozen_pair.h"

#include <arb_hypgeom.h>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/content/last_distance.h"
#include "checks/halfline/half_line.h"
#include "checks/sums/general_sum.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

constexpr std::int64_t kMaxTerms = std::int64_t{1} << 21;
constexpr const char* kCutEntropy = "H_n";

std::uint64_t next(std::uint64_t& state) {  // splitmix64
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

Ball norm(const std::vector<std::int64_t>& x, long bits) {
  Rational sum(0);
  for (const std::int64_t entry : x) sum += Rational(entry) * Rational(entry);
  return sqrt(Ball(sum, bits), bits);
}

// H(n) by a symbol of its own.
Expr without_cut_entropy(const Expr& e) {
  if (e.as<theory::node::CutEntropy>() != nullptr) return Expr::symbol(kCutEntropy);
  std::vector<Expr> parts = children(e);
  for (Expr& part : parts) part = without_cut_entropy(part);
  return parts.empty() ? e : with_children(e, std::move(parts));
}

// The scores of one pair, n = first, first + 1, … in order.
class Scores {
 public:
  Scores(const theory::ScoreFunction& law, std::uint64_t seed, const Rational& bound, long bits,
         const Context& context)
      : law_(law), bits_(bits), bound_(bound, bits), pair_(frozen_pair(seed, law.head_dim)) {
    blocks_ = frozen_blocks(pair_, law.rotation.layout, bits);
    if (law.transform == theory::Transform::hyperbolic || law.softcap) {
      throw theory::Undecided("frozen pairs under hyperbolic blocks or soft caps");
    }
    if (law.rotation.alpha == theory::Alpha::measured || law.rotation.alpha == theory::Alpha::frozen_pair) {
      throw theory::Undecided("the angle depends on measured or self-consistent entropy");
    }
    if (!law.turns()) return;
    const Expr angle = without_cut_entropy(law.rotation.angle);
    for (std::int64_t j = 0; j < law.head_dim / 2; ++j) {
      angles_.push_back(substitute(angle, "j", Expr(j)));
      scales_.push_back(substitute(law.rotation.scale, "j", Expr(j)));
    }
    if (law.transform == theory::Transform::rotation) find_frequencies(context);
  }

  Ball next_score(std::int64_t n) {
    std::map<std::string, Ball> at = {{theory::kIndex, Ball(n)}};
    const Ball b = evaluate(law_.bias, at, bits_);
    const Ball weight = exp(b, bits_);
    prefix_ = plus(prefix_, {weight, mul(b, weight, bits_), Ball(0)}, bits_);
    if (!law_.has_content) return b;
    Ball content(0);
    if (steady_) {
      content = steady_->at(n);
    } else if (angles_.empty()) {
      for (const FrozenBlock& block : blocks_) content = add(content, block.cosine, bits_);
    } else {
      at[kCutEntropy] = entropy_of(prefix_, bits_);
      for (std::size_t j = 0; j < blocks_.size(); ++j) {
        const Ball angle = evaluate(angles_[j], at, bits_);
        Ball part = add(mul(blocks_[j].cosine, cos(angle, bits_), bits_),
                        mul(blocks_[j].sine, sin(angle, bits_), bits_), bits_);
        if (law_.transform == theory::Transform::scaled_rotation)
          part = mul(part, evaluate(scales_[j], at, bits_), bits_);
        content = add(content, part, bits_);
      }
    }
    return add(b, mul(mul(evaluate(law_.gain, at, bits_), bound_, bits_), content, bits_), bits_);
  }

 private:
  // Angles that are multiples of n.
  void find_frequencies(const Context& context) {
    std::vector<Ball> frequencies;
    for (const Expr& angle : angles_) {
      const Expr frequency = simplify(angle / Expr::symbol(theory::kIndex), context);
      if (frequency.mentions(theory::kIndex) || frequency.mentions(kCutEntropy)) return;
      frequencies.push_back(evaluate(frequency, {}, bits_));
    }
    steady_.emplace(blocks_, std::move(frequencies), bits_);
  }

  const theory::ScoreFunction& law_;
  long bits_;
  Ball bound_;
  FrozenPair pair_;
  std::vector<FrozenBlock> blocks_;
  std::vector<Expr> angles_;
  std::vector<Expr> scales_;
  std::optional<SteadyRotation> steady_;
  Moments prefix_;
};

// The law of contexts of this length; that of all of them where its score does not depend on L.
theory::ScoreFunction causal_law(theory::ScoreFunction law, const std::optional<Rational>& length,
                                 const Context& context) {
  for (Expr* e : {&law.bias, &law.gain, &law.norm, &law.rotation.angle, &law.rotation.scale})
    *e = at_length(*e, law, length);
  if (law.depends_on_length() || law.rotation.angle.mentions(theory::kLength) ||
      law.rotation.scale.mentions(theory::kLength))
    throw theory::Undecided("the score depends on L: see lengths");
  if (law.two_sided) throw theory::Undecided("frozen pairs are causal");
  law.bias = simplify(law.bias, context);
  return law;
}

std::optional<Rational> last_to_add(const theory::ScoreFunction& law, const std::optional<Rational>& length) {
  const std::optional<Rational> last = last_distance(law, length);
  if (last && *last - Rational(law.first) > Rational(kMaxTerms))
    throw theory::Undecided("more than 2 million terms of a frozen pair");
  return last;
}

// Why Z diverges for every content within the bound; nothing where Z and H are finite for every one.
std::optional<std::string> divergence(const theory::ScoreFunction& law, const Expr& above,
                                      const Rational& bound, const Context& context) {
  if (!theory::decide_sum(above, context).converges) {
    const theory::SumDecision least = theory::decide_sum(theory::score_below(law, Expr(bound)), context);
    if (least.converges) throw theory::Undecided("some contents converge and others do not");
    return least.reason;
  }
  if (!theory::decide_weighted_sum(above, context).converges)
    throw theory::Undecided("sum |A+| e^A+ diverges");
  return std::nullopt;
}

// Of the terms from n on, with A- <= A <= A+ and A- < 0, so that |A| <= -A-: sums of e^A+, -A- e^A+ and n
// e^A+.
Moments remainder(const Expr& above, const Expr& below, std::int64_t n, bool weights_distance,
                  const Context& context) {
  constexpr int kFew = 12;  // digits
  const auto sum = [&](const Expr& exponent) {
    return general_sum(exponent, n, std::nullopt, {false, false}, kFew, context).moments.z;
  };
  const auto times = [&](const Expr& factor) { return simplify(above + theory::log(factor), context); };
  Moments rest;
  rest.z = sum(above);
  rest.s = sum(times(-below));
  rest.d = weights_distance ? sum(times(Expr::symbol(theory::kIndex))) : Ball::unknown();
  return rest;
}

}  // namespace

FrozenPair frozen_pair(std::uint64_t seed, int head_dim) {
  std::uint64_t state = seed;
  const auto entries = [&] {
    std::vector<std::int64_t> result(static_cast<std::size_t>(head_dim));
    for (std::int64_t& entry : result) {
      entry = 0;
      for (int i = 0; i < 12; ++i) entry += static_cast<std::int64_t>(next(state) >> 48U) - 32768;
    }
    return result;
  };
  FrozenPair pair;
  pair.query = entries();
  pair.key = entries();
  return pair;
}

std::vector<FrozenBlock> frozen_blocks(const FrozenPair& pair, theory::Layout layout, long bits) {
  const std::size_t half = pair.query.size() / 2;
  const Ball size = mul(norm(pair.query, bits), norm(pair.key, bits), bits);
  std::vector<FrozenBlock> blocks;
  for (std::size_t j = 0; j < half; ++j) {
    const std::size_t one = layout == theory::Layout::half ? j : 2 * j;
    const std::size_t two = layout == theory::Layout::half ? j + half : 2 * j + 1;
    const Rational q1(pair.query[one]);
    const Rational q2(pair.query[two]);
    const Rational k1(pair.key[one]);
    const Rational k2(pair.key[two]);
    blocks.push_back(
        {div(Ball(q1 * k1 + q2 * k2, bits), size, bits), div(Ball(q1 * k2 - q2 * k1, bits), size, bits)});
  }
  return blocks;
}

Sums frozen_sums(const theory::ScoreFunction& open, std::uint64_t seed, const Rational& bound,
                 const std::optional<Rational>& length, int digits, const Context& whole) {
  const long bits = working_bits(digits) + 32;
  const Context context = whole.question();
  Sums result;
  const auto done = theory::attempt([&] {
    const theory::ScoreFunction law = causal_law(open, length, context);
    const Expr above = simplify(theory::score_above(law, Expr(bound)), context);
    const std::optional<Rational> last = last_to_add(law, length);
    if (const auto why = last ? std::nullopt : divergence(law, above, bound, context)) {
      result.z = result.mean_distance = {Finite::no, Ball::unknown(), *why};
      result.entropy = entropy_beside_infinite_sum(above, context);
      return;
    }

    Scores scores(law, seed, bound, bits, context);
    Moments sum;
    const bool weights_distance =
        last || theory::decide_sum(above + log(Expr::symbol(theory::kIndex)), context).converges;
    const long accuracy = bits_of_digits(digits) + 8;
    std::int64_t n = law.first;
    const auto add_to = [&](std::int64_t end) {
      for (; n <= end; ++n) {
        if (n % 64 == 0) context.check_time();
        const Ball a = scores.next_score(n);
        const Ball w = exp(a, bits);
        sum = plus(sum, {w, mul(a, w, bits), mul(Ball(n), w, bits)}, bits);
      }
    };
    std::string why;
    if (last) {
      add_to(*last->to_int64());
    } else {
      std::optional<Moments> rest;
      for (std::int64_t end = law.first + 1023; end < kMaxTerms; end = 2 * end + 1) {
        if (!theory::attempt<theory::TimeUp>([&] { add_to(end); })) {
          why = "the time limit";
          end = n - 1;
        }
        // |A| <= -A- beyond the head, where b <= 0: then A- < 0 and |A+| <= -A-
        if (!surely_below(law.bias, Rational(0), Rational(n), context)) {
          if (!why.empty()) throw theory::Undecided(why);
          continue;
        }
        const Expr below = simplify(theory::score_below(law, Expr(bound)), context);
        rest = remainder(above, below, n, weights_distance, context);
        if (!why.empty() || small_beside(*rest, sizes(sum), accuracy, {true, weights_distance})) break;
      }
      if (!rest) throw theory::Undecided("the bias is positive beyond 2 million terms of a frozen pair");
      // S: the terms left out may have either sign until A- < 0 is sure; both sides are allowed
      sum.z = Ball::hull(sum.z, add(sum.z, rest->z, bits), bits);
      sum.s = sum.s.widened(rest->s);
      sum.d = Ball::hull(sum.d, add(sum.d, rest->d, bits), bits);
    }
    result.method = "terms one by one";
    result.z = {Finite::yes, sum.z, why};
    result.entropy = {Finite::yes, entropy_of(sum, bits), why};
    if (weights_distance) {
      result.mean_distance = {Finite::yes, div(sum.d, sum.z, bits), why};
      return;
    }
    const Expr least = theory::score_below(law, Expr(bound)) + log(Expr::symbol(theory::kIndex));
    const bool infinite = !theory::decide_sum(least, context).converges;
    result.mean_distance = {
        infinite ? Finite::no : Finite::unknown, Ball::unknown(),
        infinite ? "sum n e^A- diverges" : "sum n e^A converges for some contents and not for others"};
  });
  if (!done) {
    for (EnclosedNumber* one : {&result.z, &result.entropy, &result.mean_distance}) {
      if (one->finite == Finite::unknown) one->reason = done.reason();
    }
  }
  return result;
}

namespace {

// A bound of 2 Σ_{k>=m} I_k(a)/e^a: I_k(a) <= (a/2)^k/k! I_0(a) and I_0(a) <= e^a.
Ball bessel_tail(const Ball& a, const Rational& from, long bits) {
  constexpr std::int64_t kEnough = 1000;  // the bound for fewer terms left out is one for more
  const std::int64_t m = from < Rational(kEnough) ? *from.to_int64() : kEnough;
  const Ball half = mul(a, Ball(Rational(1, 2), bits), bits);
  Ball power(2);
  for (std::int64_t k = 1; k <= m; ++k) power = div(mul(power, half, bits), Ball(k), bits);
  return mul(power, exp(half, bits), bits);
}

}  // namespace

FrozenGrowth frozen_growth(const FrozenPair& pair, theory::Layout layout, const Ball& scale,
                           const Relations& relations, long bits) {
  Ball mean(1);     // Π I_0(a_j): the mean of e^A over all phases
  Ball slope(0);    // Σ a_j I_1(a_j)/I_0(a_j): that of A e^A, divided by it
  Ball largest(0);  // Σ a_j
  Ball mean_tail(0);
  Ball slope_tail(0);
  for (const FrozenBlock& block : frozen_blocks(pair, layout, bits)) {
    const Ball size =
        sqrt(add(mul(block.cosine, block.cosine, bits), mul(block.sine, block.sine, bits), bits), bits);
    const Ball a = mul(abs(scale), size, bits);
    Ball i0;
    Ball i1;
    arb_hypgeom_bessel_i(i0.raw(), Ball(0).raw(), a.raw(), bits);
    arb_hypgeom_bessel_i(i1.raw(), Ball(1).raw(), a.raw(), bits);
    mean = mul(mean, i0, bits);
    slope = add(slope, div(mul(a, i1, bits), i0, bits), bits);
    largest = add(largest, a, bits);
    if (!relations.least) continue;
    mean_tail = add(mean_tail, bessel_tail(a, *relations.least, bits), bits);
    slope_tail = add(slope_tail, bessel_tail(a, *relations.least - Rational(1), bits), bits);
  }
  const Ball most = exp(largest, bits);
  const Ball m = mean.widened(mul(most, mean_tail, bits));
  const Ball s = mul(mean, slope, bits).widened(mul(mul(most, largest, bits), slope_tail, bits));
  return {m, sub(log(m, bits), div(s, m, bits), bits)};
}

}  // namespace gpe::checks
