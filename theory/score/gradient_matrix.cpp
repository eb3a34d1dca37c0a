#include "theory/score/gradient_matrix.h"

#include <algorithm>

#include "theory/asymptotics/limit.h"
#include "theory/asymptotics/mean_value.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/any_part.h"
#include "theory/expression/expr_print.h"
#include "theory/score/every_distance.h"

namespace gpe::theory {

namespace {

constexpr std::int64_t kFarthestEntropy = 4;  // the exact entropy of a cut law is a sum over all its tokens

Expr at(const Expr& function, std::int64_t n) { return substitute(function, kIndex, Expr(n)); }

Expr cosine(const Expr& angle) { return call(Function::cos, {angle}); }
Expr sine(const Expr& angle) { return call(Function::sin, {angle}); }

std::optional<bool> negated(std::optional<bool> answer) {
  return answer ? std::optional(!*answer) : std::nullopt;
}

// True when one of the answers is; nothing when none is and one is missing.
template <class Blocks, class Ask>
std::optional<bool> any(const Blocks& blocks, const Ask& ask) {
  std::optional<bool> result = false;
  for (const auto& block : blocks) {
    const std::optional<bool> one = ask(block);
    if (one == true) return true;
    if (!one) result = std::nullopt;
  }
  return result;
}

}  // namespace

bool mentions_cut_entropy(const Expr& e) {
  return any_part(e, [](const Expr& part) { return part.as<node::CutEntropy>() != nullptr; });
}

Expr with_cut_entropy(const ScoreFunction& law, const Expr& expression, std::int64_t m) {
  return rewrite(expression, [&](const Expr& e) {
    if (e.as<node::CutEntropy>() == nullptr) return e;
    std::vector<Expr> weights;
    std::vector<Expr> weighted;
    for (std::int64_t n = law.first; n <= m; ++n) {
      const Expr b = at(law.bias, n);
      weights.push_back(exp(b));
      weighted.push_back(b * exp(b));
    }
    const Expr z = add(weights);
    return log(z) - add(weighted) / z;
  });
}

GradientMatrix::GradientMatrix(const ScoreFunction& law, Of which, const Context& context)
    : law_(law), context_(context) {
  const Expr gain = which == Of::gradient ? law.gain : Expr(1);
  const Expr n = Expr::symbol(kIndex);
  const bool scaled = law.transform == Transform::scaled_rotation;
  const bool hyperbolic = law.transform == Transform::hyperbolic;
  const bool rotates = scaled || law.transform == Transform::rotation;
  const auto push = [&](const Expr& factor, const Expr& angle) {
    const bool known = std::ranges::any_of(
        blocks_, [&](const Block& block) { return block.factor == factor && block.angle == angle; });
    if (known) return;
    // alpha is a function of n that only a model knows
    blocks_.push_back({factor, angle, varies(angle) || angle.mentions("alpha"), angle.mentions("alpha")});
  };
  for (int j = 0; j < (rotates || hyperbolic ? law.head_dim / 2 : 1); ++j) {
    context.check_time();
    const auto of_block = [&](const Expr& e) { return substitute(e, "j", Expr(j)); };
    if (hyperbolic) {
      const Expr rate = of_block(law.hyperbolic.rate);
      const Expr decay = of_block(law.hyperbolic.decay);
      push(gain * exp(n * (rate - decay)), Expr(0));
      push(gain * exp(n * (-rate - decay)), Expr(0));
    } else {
      push(scaled ? gain * of_block(law.rotation.scale) : gain,
           rotates ? of_block(law.rotation.angle) : Expr(0));
    }
  }
}

Form GradientMatrix::factor_at(const Block& block, std::int64_t n) const {
  return to_form(at(block.factor, n), context_);
}

// A function of L is judged near infinity.
std::optional<bool> GradientMatrix::zero(const Form& form) const {
  if (form.is_zero()) return true;
  const auto is_zero = [&] {
    if (!varies(form)) return context_.is_zero(form);
    if (const auto known = context_.known_sign(form)) return *known == 0;
    return eventual_sign(substitute(to_expr(form), kLength, Expr::symbol(kIndex)), context_) == 0;
  };
  return attempt_in_time(is_zero).if_known();
}

bool GradientMatrix::evaluates(const Block& block, std::int64_t n) const {
  return !block.unknown && (!mentions_cut_entropy(block.angle) || n - law_.first <= kFarthestEntropy);
}

Expr GradientMatrix::change_of_angle(const Block& block, std::int64_t n, std::int64_t from) const {
  if (!block.turns) return Expr(0);
  return with_cut_entropy(law_, at(block.angle, n), n) - with_cut_entropy(law_, at(block.angle, from), from);
}

std::optional<bool> GradientMatrix::whole_turns(const Expr& change, bool half) const {
  const Form turned = to_form(half ? change - Expr::pi() : change, context_);
  return is_whole_turn(context_.constraints().reduced(turned), context_);
}

std::optional<bool> GradientMatrix::size_differs(std::int64_t n, std::int64_t from,
                                                 const Block** changed) const {
  return any(blocks_, [&](const Block& block) {
    if (!block.factor.mentions(kIndex)) return std::optional(false);
    const Form a = factor_at(block, n);
    const Form b = factor_at(block, from);
    const auto differs = negated(zero(a - b));
    const auto result = differs == true ? negated(zero(a + b)) : differs;
    if (result == true && changed != nullptr) *changed = &block;
    return result;
  });
}

std::optional<bool> GradientMatrix::block_differs(const Block& block, std::int64_t n,
                                                  std::int64_t from) const {
  const Form a = factor_at(block, n);
  const Form b = factor_at(block, from);
  const auto equal = zero(a - b);
  if (!equal) return std::nullopt;
  if (!block.turns) return !*equal;
  const auto opposite = *equal ? false : zero(a + b);
  if (!*equal && opposite == false) return true;
  if (!*equal && !opposite) return std::nullopt;
  const auto nothing = zero(b);
  if (nothing == true) return false;
  if (!nothing || !evaluates(block, n)) return std::nullopt;
  return negated(whole_turns(change_of_angle(block, n, from), *opposite));
}

std::optional<bool> GradientMatrix::differs(std::int64_t n, std::int64_t from) const {
  return any(blocks_, [&](const Block& block) { return block_differs(block, n, from); });
}

std::optional<bool> GradientMatrix::is_zero(std::int64_t n) const {
  return negated(any(blocks_, [&](const Block& block) { return negated(zero(factor_at(block, n))); }));
}

const GradientMatrix::Block& GradientMatrix::pivot(std::int64_t n) const {
  for (const Block& block : blocks_) {
    if (zero(factor_at(block, n)) == false) return block;
  }
  throw Undecided("cannot tell which block of W(" + std::to_string(n) + ") is not zero");
}

// With a, b the block's factors at n and at `from`, p, q those of the pivot, q not 0, and rotations R, S from
// `from` to n: (a R, p S) is a real multiple of (b, q) when R and S are ±1 where they matter, and a R q = p S
// b.
std::optional<bool> GradientMatrix::leaves_line(const Block& block, const Block& pivot, std::int64_t n,
                                                std::int64_t from) const {
  const Form a = factor_at(block, n);
  const Form b = factor_at(block, from);
  if (block.turns) {
    const auto nothing = zero(a * b);
    if (!nothing) return std::nullopt;
    if (!*nothing) {
      if (!evaluates(block, n)) return std::nullopt;
      const auto straight = whole_turns(Expr(2) * change_of_angle(block, n, from), false);
      if (straight != true) return negated(straight);
    }
  }
  if (&block == &pivot) return false;
  const Form left = a * factor_at(pivot, from);
  const Form right = factor_at(pivot, n) * b;
  const auto equal = zero(left - right);
  const auto opposite = zero(left + right);
  if (equal == false && opposite == false) return true;
  if (!equal || !opposite) return std::nullopt;
  if (*equal && *opposite) return false;  // both are 0
  if (!block.turns && !pivot.turns) return !*equal;
  if (!evaluates(block, n) || !evaluates(pivot, n)) return std::nullopt;
  return negated(whole_turns(change_of_angle(block, n, from) - change_of_angle(pivot, n, from), *opposite));
}

std::optional<bool> GradientMatrix::leaves_line(std::int64_t n, std::int64_t from) const {
  const Block& p = pivot(from);
  return any(blocks_, [&](const Block& block) { return leaves_line(block, p, n, from); });
}

bool GradientMatrix::same_size_from(std::int64_t start, std::int64_t from) const {
  return std::ranges::all_of(blocks_, [&](const Block& block) {
    const Expr a = block.factor;
    const Expr b = at(a, from);
    return !a.mentions(kIndex) || vanishes_from(a * a - b * b, start, context_);
  });
}

bool GradientMatrix::same_from(std::int64_t start, std::int64_t from) const {
  return std::ranges::all_of(blocks_, [&](const Block& block) {
    const Expr a = block.factor;
    const Expr b = at(a, from);
    if (!block.turns) return vanishes_from(a - b, start, context_);
    if (vanishes_from(a, start, context_) && zero(to_form(b, context_)) == true) return true;
    const Expr change = block.angle - at(block.angle, from);
    return !block.unknown && vanishes_from(a * cosine(change) - b, start, context_) &&
           vanishes_from(a * sine(change), start, context_);
  });
}

bool GradientMatrix::on_line_from(std::int64_t start, std::int64_t from) const {
  const Block& p = pivot(from);
  const auto along = [&](const Block& block) {
    return block.turns ? block.factor * cosine(block.angle - at(block.angle, from)) : block.factor;
  };
  return std::ranges::all_of(blocks_, [&](const Block& block) {
    if (vanishes_from(block.factor, start, context_) && zero(factor_at(block, from)) == true) return true;
    if (block.unknown || p.unknown) return false;
    const Expr across = block.turns ? block.factor * sine(block.angle - at(block.angle, from)) : Expr(0);
    return vanishes_from(across, start, context_) &&
           (&block == &p ||
            vanishes_from(along(block) * at(p.factor, from) - along(p) * at(block.factor, from), start,
                          context_));
  });
}

}  // namespace gpe::theory
