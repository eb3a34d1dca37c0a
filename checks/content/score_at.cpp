#include "checks/content/score_at.h"

#include <cassert>
#include <map>

#include "checks/arb/expr_ball.h"
#include "theory/exact/context.h"
#include "theory/exact/decision.h"
#include "theory/score/gradient_matrix.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

// Where block j has its two coordinates.
std::pair<std::size_t, std::size_t> coordinates(theory::Layout layout, std::size_t j, std::size_t d) {
  if (layout == theory::Layout::interleaved) return {2 * j, 2 * j + 1};
  return {j, j + d / 2};
}

// [[a, b], [-b, a]] or [[a, b], [b, a]] of one block, both times a scale.
struct Block {
  Ball a;
  Ball b;
  bool turns;
};

Block block_at(const theory::ScoreFunction& law, std::int64_t j, const std::map<std::string, Ball>& at,
               long bits) {
  const auto value = [&](const Expr& e) { return evaluate(substitute(e, "j", Expr(j)), at, bits); };
  if (law.transform == theory::Transform::hyperbolic) {
    const Ball& n = at.at(theory::kIndex);
    const Ball rate = mul(value(law.hyperbolic.rate), n, bits);
    const Ball decay = mul(value(law.hyperbolic.decay), n, bits);
    const Ball up = exp(sub(rate, decay, bits), bits);
    const Ball down = exp(neg(add(rate, decay, bits)), bits);
    const Ball half(Rational(1, 2), bits);
    return {mul(half, add(up, down, bits), bits), mul(half, sub(up, down, bits), bits), false};
  }
  if (theory::mentions_cut_entropy(law.rotation.angle) || law.rotation.angle.mentions("alpha"))
    throw theory::Undecided("the angle depends on an entropy");
  const Ball angle = value(law.rotation.angle);
  const Ball scale = value(law.rotation.scale);
  return {mul(scale, cos(angle, bits), bits), mul(scale, sin(angle, bits), bits), true};
}

Ball dot(std::span<const Ball> q, std::span<const Ball> k, long bits) {
  Ball sum(0);
  for (std::size_t i = 0; i < q.size(); ++i) sum = add(sum, mul(q[i], k[i], bits), bits);
  return sum;
}

Ball content_at(const theory::ScoreFunction& law, std::span<const Ball> q, std::span<const Ball> k,
                const std::map<std::string, Ball>& at, long bits) {
  if (law.transform == theory::Transform::none) return Ball(0);
  if (law.transform == theory::Transform::identity) return dot(q, k, bits);
  Ball sum(0);
  for (std::size_t j = 0; j < q.size() / 2; ++j) {
    const auto [i, l] = coordinates(law.rotation.layout, j, q.size());
    const Block block = block_at(law, static_cast<std::int64_t>(j), at, bits);
    const Ball same = add(mul(q[i], k[i], bits), mul(q[l], k[l], bits), bits);
    const Ball crossed = block.turns ? sub(mul(q[i], k[l], bits), mul(q[l], k[i], bits), bits)
                                     : add(mul(q[i], k[l], bits), mul(q[l], k[i], bits), bits);
    sum = add(sum, add(mul(block.a, same, bits), mul(block.b, crossed, bits), bits), bits);
  }
  return sum;
}

}  // namespace

Ball capped(const Ball& x, const Ball& cap, long bits) {
  const Ball e = exp(div(mul(Ball(2), x, bits), cap, bits), bits);
  return mul(cap, sub(Ball(1), div(Ball(2), add(e, Ball(1), bits), bits), bits), bits);
}

std::vector<Ball> exact_balls(std::span<const double> numbers) {
  std::vector<Ball> result(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) arb_set_d(result[i].raw(), numbers[i]);
  return result;
}

Ball score_at(const theory::ScoreFunction& law, std::span<const Ball> q, std::span<const Ball> k,
              std::int64_t n, std::int64_t length, long bits) {
  assert(q.size() == static_cast<std::size_t>(law.head_dim) && k.size() == q.size());
  const std::map<std::string, Ball> at = {{theory::kIndex, Ball(n)}, {theory::kLength, Ball(length)}};
  Ball content = content_at(law, q, k, at, bits);
  content = div(content, sqrt(Ball(law.head_dim), bits), bits);
  if (law.softcap) content = capped(content, evaluate(*law.softcap, at, bits), bits);
  return add(mul(evaluate(law.gain, at, bits), content, bits), evaluate(law.bias, at, bits), bits);
}

}  // namespace gpe::checks
