// Gradient positional sensitivity: does ∂A/∂q depend on n? n runs over the integers from `first`.
#include <algorithm>

#include "theory/convergence.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"
#include "theory/limit.h"
#include "theory/mean_value.h"
#include "theory/property.h"

namespace gpe::theory {

namespace {

constexpr std::int64_t kFarthestWitness = std::int64_t{1} << 20;
constexpr std::int64_t kEveryWitness = 8;     // up to here each n is tried
constexpr std::int64_t kFarthestEntropy = 4;  // the exact entropy of a cut law is a sum over all its tokens

bool mentions_entropy(const Expr& e) {
  if (e.as<node::CutEntropy>() != nullptr) return true;
  for (const Expr& child : children(e)) {
    if (mentions_entropy(child)) return true;
  }
  return false;
}

// The entropy of the law cut at n = m, as an exact expression (m small).
Expr cut_entropy(const Law& law, std::int64_t m) {
  std::vector<Expr> weights;
  std::vector<Expr> weighted;
  for (std::int64_t n = law.first; n <= m; ++n) {
    const Expr b = substitute(law.bias, kIndex, Expr(n));
    weights.push_back(exp(b));
    weighted.push_back(b * exp(b));
  }
  const Expr z = add(weights);
  return log(z) - add(weighted) / z;
}

Expr at(const Law& law, const Expr& function, std::int64_t n) {
  const Expr value = substitute(function, kIndex, Expr(n));
  return rewrite(
      value, [&](const Expr& e) { return e.as<node::CutEntropy>() == nullptr ? e : cut_entropy(law, n); });
}

// Whether distance n >= first is inside the window; where its size is left open, that is a case of its own.
bool sees(const Law& law, std::int64_t n, const Context& context) {
  return !law.window_size || context.sign(to_form(*law.window_size - Expr(n - law.first + 1), context)) >= 0;
}

std::vector<std::int64_t> witnesses(const Law& law) {
  std::vector<std::int64_t> result;
  for (std::int64_t k = 1; k <= kFarthestWitness; k = k < kEveryWitness ? k + 1 : 2 * k)
    result.push_back(law.first + k);
  return result;
}

// Normal forms take log n, log log n and log log log n to be positive, as they are from here on.
constexpr std::int64_t kLogarithmsPositive = 16;

// Nothing when the function is constant; otherwise an n where it differs from its first value.
std::optional<std::int64_t> where_it_changes(const Law& law, const Expr& function, const Context& context) {
  if (!function.mentions(kIndex)) return std::nullopt;
  const Form first = to_form(at(law, function, law.first), context);
  const auto differs_at = [&](std::int64_t n) {
    return !context.is_zero(to_form(at(law, function, n), context) - first);
  };
  if (cleared(to_form(function, context) - first).is_zero()) {
    for (std::int64_t n = law.first + 1; n <= kLogarithmsPositive && sees(law, n, context); ++n) {
      if (differs_at(n)) return n;
    }
    return std::nullopt;
  }
  for (const std::int64_t n : witnesses(law)) {
    if (!sees(law, n, context)) {
      if (n - law.first <= kEveryWitness) return std::nullopt;  // every n was tried
      break;
    }
    if (differs_at(n)) return n;
  }
  throw Undecided("cannot tell whether " + to_text(function) +
                  " is constant: it repeats its first value at every n tried");
}

// Theorem G1 (docs/theorems.md): an angle c·n/(1 + H(n)), c > 0, H the entropy of the law cut at n, is not a
// whole number of turns at every n. Hypotheses: no window and no L; and either Σ|b|e^b = ∞, and the bias is
// bounded above and within a bounded distance of an exp-log function, or Σ|b|e^b < ∞, n|b|e^b → 0, and
// n²|b|e^b tends to 0 or to ∞.
bool turns_by_entropy(const Law& law, const Expr& angle, const Context& context) {
  if (law.window || law.bias.mentions(kLength)) return false;
  const Expr entropy = Expr::symbol("H");
  const Expr open =
      rewrite(angle, [&](const Expr& e) { return e.as<node::CutEntropy>() == nullptr ? e : entropy; });
  const Expr n = Expr::symbol(kIndex);
  const Form factor = to_form(substitute(open, "H", Expr(0)) / n, context);
  const Expr difference = open * (Expr(1) + entropy) - to_expr(factor) * n;
  if (varies(factor) || !cleared(to_form(difference, context)).is_zero() || context.sign(factor) <= 0)
    return false;
  if (!decide_sum(law.bias, context).converges || !decide_weighted_sum(law.bias, context).converges) {
    return near_exp_log({law.bias}, context) &&
           limit(law.bias, context).high.kind != Limit::Kind::plus_infinity;
  }
  const Expr weight = law.bias + log(-law.bias);
  if (limit(weight + log(n), context).high.kind != Limit::Kind::minus_infinity) return false;
  const LimitBounds decay = limit(weight + Expr(2) * log(n), context);
  return decay.settled() && decay.low.kind != Limit::Kind::finite;
}

// Whether some block's angle changes by something other than whole turns, and where; nothing when none does.
std::optional<std::string> where_it_turns(const Law& law, const Context& context) {
  const int blocks = law.rotation.angle.mentions("j") ? law.head_dim / 2 : 1;
  bool unsettled = false;
  for (int j = 0; j < blocks; ++j) {
    const Expr angle = substitute(law.rotation.angle, "j", Expr(j));
    if (!varies(to_form(angle, context))) continue;
    if (mentions_entropy(angle) && turns_by_entropy(law, angle, context)) return "at some n (theorem G1)";
    const Form origin = to_form(at(law, angle, law.first), context);
    const Form step = to_form(at(law, angle, law.first + 1), context) - origin;
    const bool linear = !varies(to_form(angle, context) - Form::symbol(kIndex) * step);
    const std::int64_t farthest = mentions_entropy(angle) ? kFarthestEntropy : kFarthestWitness;
    bool all_tried = false;
    for (const std::int64_t n : witnesses(law)) {
      context.check_time();
      if (!sees(law, n, context)) {
        all_tried = n - law.first <= std::min(farthest + 1, kEveryWitness);
        break;
      }
      if (n - law.first > farthest) break;
      const Form change = to_form(at(law, angle, n), context) - origin;
      const auto whole = is_whole_turn(context.constraints().reduced(change), context);
      if (whole == false) return "between n = " + std::to_string(law.first) + " and n = " + std::to_string(n);
      if (!whole) unsettled = true;
      if (linear) break;  // later changes are multiples of this one
    }
    if (!linear && !all_tried) unsettled = true;
    if (unsettled) break;
  }
  if (!unsettled) return std::nullopt;
  throw Undecided("cannot tell whether every angle changes by whole turns only");
}

bool rotates(const Law& law) {
  return law.transform == Transform::rotation || law.transform == Transform::scaled_rotation;
}

std::string at_n(std::int64_t n, const Law& law) {
  return "between n = " + std::to_string(law.first) + " and n = " + std::to_string(n);
}

// Singular values of f(n)W(n), one a block (two for hyperbolic blocks).
std::vector<Expr> gradient_sizes(const Law& law) {
  std::vector<Expr> result;
  const Expr n = Expr::symbol(kIndex);
  if (law.transform == Transform::identity || law.transform == Transform::rotation) return {abs(law.gain)};
  for (int j = 0; j < law.head_dim / 2; ++j) {
    if (law.transform == Transform::scaled_rotation) {
      result.push_back(abs(law.gain * substitute(law.rotation.scale, "j", Expr(j))));
      if (!law.rotation.scale.mentions("j")) break;
    } else {
      const Expr rate = substitute(law.hyperbolic.rate, "j", Expr(j));
      const Expr decay = substitute(law.hyperbolic.decay, "j", Expr(j));
      result.push_back(abs(law.gain) * exp(n * (rate - decay)));
      result.push_back(abs(law.gain) * exp(n * (-rate - decay)));
    }
  }
  return result;
}

Decision decide_norm(const Law& law, const Context& context) {
  for (const Expr& size : gradient_sizes(law)) {
    if (const auto n = where_it_changes(law, size, context)) {
      return holds("|dA/dq| = " + to_text(size) + " |k|/sqrt(d) for some k, which changes " + at_n(*n, law));
    }
  }
  return fails("|dA/dq| is the same at every n");
}

}  // namespace

Decision decide_gps(std::string_view reading, const Law& law, const Context& context) {
  if (!law.has_content) return fails("the score has no content, so dA/dq = 0");
  if (!sees(law, law.first + 1, context)) return fails("a window of one key");
  if (reading == "norm") return decide_norm(law, context);
  if (reading == "vector") {
    if (law.transform == Transform::identity) {
      if (const auto n = where_it_changes(law, law.gain, context)) {
        return holds("f(n) = " + to_text(law.gain) + " changes " + at_n(*n, law));
      }
      return fails("f(n) W(n) is the same at every n");
    }
    const Decision norm = decide_norm(law, context);
    if (norm.truth == Truth::holds) return norm;
    if (!rotates(law)) return fails("f(n) W(n) is the same at every n");
    const auto flips = where_it_changes(law, law.gain, context);  // |f| is constant, so f changes its sign
    const auto turns = where_it_turns(law, context);
    if (flips && turns) throw Undecided("f(n) changes its sign, and W(n) turns: they may cancel");
    if (flips) return holds("f(n) changes its sign " + at_n(*flips, law) + ", and W(n) does not turn");
    if (turns) return holds("W(n) turns " + *turns);
    return fails("every angle is a whole number of turns");
  }
  // scalar: W(n) must be a multiple of one matrix, and f(n) must change
  if (rotates(law)) {
    if (const auto n = where_it_turns(law, context)) {
      return fails("W(n) turns " + *n + ", so dA/dq is not a multiple of k");
    }
  }
  if (law.transform == Transform::hyperbolic ||
      (law.transform == Transform::scaled_rotation && law.rotation.scale.mentions("j"))) {
    return fails("W(n) stretches blocks differently, so dA/dq is not a multiple of k");
  }
  const Expr g = law.transform == Transform::scaled_rotation ? law.gain * law.rotation.scale : law.gain;
  if (const auto n = where_it_changes(law, g, context)) {
    return holds("dA/dq = g(n) k/sqrt(d) with g = " + to_text(g) + ", which changes " + at_n(*n, law));
  }
  return fails("dA/dq = g k/sqrt(d) with a constant g");
}

Expr gradient_rate(const Law& law, const Context& context) {
  if (!law.has_content) return Expr(0);
  const std::vector<Expr> terms = dominant_terms(abs(law.gain) * law.norm, 1, context);
  return terms.empty() ? Expr(0) : terms.front();
}

}  // namespace gpe::theory
