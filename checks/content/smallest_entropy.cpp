// The lower end of the entropy band. Tests: tests/checks/content/entropy_band_test.cpp
#include <algorithm>

#include "checks/content/entropy_band.h"

namespace gpe::checks {

using theory::Rational;

namespace {

constexpr std::size_t kEnumerated = 6;  // both states of this many of the widest tokens

struct Edge {
  Ball kappa;
  Ball z;  // e^u - e^l, all copies
  Ball s;  // u e^u - l e^l
};

// The boundary walk for the tokens that are not fixed: all at their lowest, then switched to their highest
// one by one in the order of decreasing κ. The tail of the box keeps its own order.
class Walk {
 public:
  Walk(ScoreIntervals& box, const theory::Context& context)
      : box_(box), context_(context), bits_(box.bits()) {
    if (!box.has_tail()) return;
    for (int i = 0; i < box.copies(); ++i) tail_low_ = plus(tail_low_, box.low().total(), bits_);
  }

  // @param fixed  Σ e^A and Σ A e^A of the tokens whose scores are given
  SmallestEntropy run(const Moments& fixed, std::vector<Edge> edges, const Moments& lowest) {
    start_ = plus(plus(fixed, lowest, bits_), tail_low_, bits_);
    std::ranges::sort(edges, [](const Edge& a, const Edge& b) { return b.kappa.surely_less(a.kappa); });
    edges_ = std::move(edges);
    prefix_.assign(1, Moments{});
    for (const Edge& edge : edges_) prefix_.push_back(plus(prefix_.back(), {edge.z, edge.s, Ball(0)}, bits_));
    return stop_at(box_.has_tail() ? tail_stop() : Rational(0));
  }

 private:
  // Tokens of the list with κ above that of tail token number k.
  std::size_t list_before(const Rational& k) const {
    const Ball at = box_.tail_kappa(box_.tail_first() + k);
    return static_cast<std::size_t>(
        std::ranges::count_if(edges_, [&](const Edge& edge) { return at.surely_less(edge.kappa); }));
  }
  Moments state(std::size_t listed, const Rational& tail) const {
    Moments sum = plus(start_, prefix_[listed], bits_);
    if (tail.is_zero()) return sum;
    const Rational n = box_.tail_first() + tail - Rational(1);
    const Moments high = box_.high().up_to(n);
    const Moments low = box_.low().up_to(n);
    for (int i = 0; i < box_.copies(); ++i) {
      sum.z = add(sum.z, sub(high.z, low.z, bits_), bits_);
      sum.s = add(sum.s, sub(high.s, low.s, bits_), bits_);
    }
    return sum;
  }
  // Whether H still falls when a token with this κ is switched: κ > 1 + S/Z.
  bool falls(const Ball& kappa, const Moments& sum) const {
    const Ball limit = add(Ball(1), div(sum.s, sum.z, bits_), bits_);
    if (limit.surely_less(kappa)) return true;
    if (kappa.surely_less(limit)) return false;
    throw theory::Undecided("the entropy is flat along an edge");
  }

  // How many tokens of the tail are switched before H rises; H along the boundary falls, then rises.
  Rational tail_stop() const {
    const auto more = [&](const Rational& k) {
      context_.check_time();
      return falls(box_.tail_kappa(box_.tail_first() + k), state(list_before(k), k));
    };
    const auto last = box_.high().last();
    const std::optional<Rational> count =
        last ? std::optional(*last - box_.tail_first() + Rational(1)) : std::nullopt;
    if (!more(Rational(0))) return Rational(0);
    if (count && more(*count - Rational(1))) return *count;
    Rational step(1);
    while (!(count && step >= *count) && more(step)) {
      step *= Rational(2);
      if (step.bits() > 20000) throw theory::Undecided("the scores fall too slowly");
    }
    Rational low = step.is_one() ? Rational(0) : step / Rational(2);
    Rational high = count ? std::min(step, *count - Rational(1)) : step;
    while (high - low > Rational(1)) {
      const Rational middle = ((low + high) / Rational(2)).floor();
      (more(middle) ? low : high) = middle;
    }
    return high;
  }

  SmallestEntropy stop_at(const Rational& tail) const {
    std::size_t listed = 0;
    Ball last_kappa = Ball::unknown();
    Moments before = start_;
    if (!tail.is_zero()) {  // everything with κ above the last tail token that was switched
      listed = list_before(tail - Rational(1));
      before = state(listed, tail - Rational(1));
      last_kappa = box_.tail_kappa(box_.tail_first() + tail - Rational(1));
    }
    Moments now = state(listed, tail);
    while (listed < edges_.size() && falls(edges_[listed].kappa, now)) {
      before = now;
      last_kappa = edges_[listed].kappa;
      now = state(++listed, tail);
    }
    SmallestEntropy result{entropy_of(now, bits_), entropy_of(now, bits_)};
    if (!last_kappa.is_finite()) return result;
    // The least of log Z - S/Z on the line of the last edge: at Z = κ Z_0 - S_0 it is log Z + 1 - κ.
    const Ball z = sub(mul(last_kappa, before.z, bits_), before.s, bits_);
    if (z.surely_positive() && !now.z.surely_less(z)) {
      const Ball inside = sub(add(log(z, bits_), Ball(1), bits_), last_kappa, bits_);
      result.proved = min(result.proved, inside, bits_);
    }
    return result;
  }

  ScoreIntervals& box_;
  const theory::Context& context_;
  long bits_;
  Moments tail_low_;
  Moments start_;
  std::vector<Edge> edges_;
  std::vector<Moments> prefix_;
};

Moments weight(const Ball& score, int copies, long bits) {
  const Ball w = mul(Ball(copies), exp(score, bits), bits);
  return {w, mul(score, w, bits), Ball(0)};
}

// -log of the largest weight that any token can have.
Ball peak_bound(ScoreIntervals& box) {
  const long bits = box.bits();
  const Ball lowest = all_low(box).z;
  Ball largest(0);
  const auto candidate = [&](const Ball& low, const Ball& high) {
    const Ball top = exp(high, bits);
    const Ball others = sub(lowest, exp(low, bits), bits);
    largest = max(largest, div(top, add(top, others, bits), bits), bits);
  };
  for (const Token& token : box.head()) candidate(token.low, token.high);
  if (box.has_tail()) candidate(box.low().value(box.tail_first()), box.high().value(box.tail_first()));
  return neg(log(largest, bits));
}

}  // namespace

SmallestEntropy smallest_entropy(ScoreIntervals& box, const theory::Context& context) {
  const long bits = box.bits();
  struct Wide {
    const Token* token;
    Ball width;
  };
  std::vector<Wide> wide;
  for (const Token& token : box.head()) {
    if (token.copies > 1) continue;
    const Ball width = sub(exp(token.high, bits), exp(token.low, bits), bits);
    if (width.surely_positive()) wide.push_back({&token, width});
  }
  std::ranges::sort(wide, [](const Wide& a, const Wide& b) { return b.width.surely_less(a.width); });
  if (wide.size() > kEnumerated) wide.resize(kEnumerated);
  Moments lowest;
  std::vector<Edge> edges;
  for (const Token& token : box.head()) {
    if (std::ranges::any_of(wide, [&](const Wide& one) { return one.token == &token; })) continue;
    const auto slope = kappa(token.low, token.high, bits);
    // Where the ends are not told apart, the score is anything between them.
    const Moments low =
        weight(slope ? token.low : Ball::hull(token.low, token.high, bits), token.copies, bits);
    lowest = plus(lowest, low, bits);
    if (!slope) continue;
    const Moments high = weight(token.high, token.copies, bits);
    edges.push_back({*slope, sub(high.z, low.z, bits), sub(high.s, low.s, bits)});
  }
  Walk walk(box, context);
  SmallestEntropy result{Ball::unknown(), Ball::unknown()};
  for (std::size_t states = 0; states < (std::size_t{1} << wide.size()); ++states) {
    context.check_time();
    Moments fixed;
    for (std::size_t i = 0; i < wide.size(); ++i) {
      const Token& token = *wide[i].token;
      fixed = plus(fixed, weight(((states >> i) & 1U) != 0 ? token.high : token.low, 1, bits), bits);
    }
    const SmallestEntropy one = walk.run(fixed, edges, lowest);
    result.proved = states == 0 ? one.proved : min(result.proved, one.proved, bits);
    result.attained = states == 0 ? one.attained : min(result.attained, one.attained, bits);
  }
  result.proved = max(result.proved, peak_bound(box), bits);
  if (!result.proved.surely_positive()) result.proved = Ball(0);
  if (!result.attained.surely_nonnegative())
    result.attained = Ball::hull(Ball(0), result.attained.upper(bits), bits);
  return result;
}

}  // namespace gpe::checks
