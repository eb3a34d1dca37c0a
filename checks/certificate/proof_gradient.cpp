// Proofs for the gradient's sensitivity: two distances at which it differs, or an identity.
// Tests: tests/certificates/library.cmake, tests/cli/certificates.cmake
#include <algorithm>

#include "checks/certificate/proof_search.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/any_part.h"
#include "theory/score/gradient_matrix.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;
using theory::Transform;

bool has_wave(const Expr& e) {
  return theory::any_part(e, [](const Expr& part) {
    const auto* call = part.as<theory::node::Call>();
    return call != nullptr &&
           (call->function == theory::Function::sin || call->function == theory::Function::cos);
  });
}

namespace {

Expr replace_entropy(const Expr& e, const Expr& value) {
  return theory::rewrite(
      e, [&](const Expr& part) { return part.as<theory::node::CutEntropy>() == nullptr ? part : value; });
}

// Singular value of f(n) W(n) on a block; for hyperbolic blocks, on one of two branches.
Expr length_of(const theory::ScoreFunction& law, int block, int branch) {
  const Expr n = Expr::symbol(theory::kIndex);
  const auto at_block = [&](const Expr& e) { return theory::substitute(e, "j", Expr(block)); };
  if (law.transform == Transform::scaled_rotation)
    return theory::abs(law.gain) * theory::abs(at_block(law.rotation.scale));
  if (law.transform == Transform::hyperbolic)
    return theory::abs(law.gain) *
           theory::exp(n * (Expr(branch) * at_block(law.hyperbolic.rate) - at_block(law.hyperbolic.decay)));
  return theory::abs(law.gain);
}

}  // namespace

// Distances other than the first to look at.
std::vector<std::int64_t> ProofSearch::distances() const {
  std::vector<std::int64_t> result;
  for (std::int64_t k = 1; k <= std::int64_t{1} << 20; k = k < 8 ? k + 1 : 2 * k) {
    const bool open = law_.window_size.has_value();  // then the case at hand must let it in
    const auto room =
        open ? context_.known_sign(theory::to_form(*law_.window_size - Expr(k + 1), context_)) : std::nullopt;
    const bool seen = open ? room && *room >= 0 : !law_.last() || law_.first + k <= *law_.last();
    if (seen) result.push_back(law_.first + k);
  }
  return result;
}

std::optional<ProofTerm> ProofSearch::size_changes() const {
  const bool hyperbolic = law_.transform == Transform::hyperbolic;
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    for (const int branch : {1, -1}) {
      if (branch < 0 && !hyperbolic) break;
      const Expr size = length_of(law_, block, branch);
      const theory::Form first =
          theory::to_form(theory::substitute(size, theory::kIndex, Expr(law_.first)), context_);
      for (const std::int64_t to : distances()) {
        const theory::Form change =
            theory::to_form(theory::substitute(size, theory::kIndex, Expr(to)), context_) - first;
        // the rules know sines and cosines at quarters of a turn only
        if (change.is_zero() || has_wave(theory::to_expr(change))) continue;
        const int sign = context_.sign(change);
        if (sign == 0) continue;
        ProofTerm proof = {
            .rule = Rule::size_changes, .from = law_.first, .to = to, .block = block, .e = sign};
        if (hyperbolic) proof.branch = branch;
        return proof;
      }
    }
    if (law_.transform == Transform::identity || law_.transform == Transform::rotation) break;
  }
  return std::nullopt;
}

namespace {

Expr since_first(const theory::ScoreFunction& law, const Expr& angle) {
  return angle - theory::substitute(angle, theory::kIndex, Expr(law.first));
}

// How many half turns an angle makes from one distance to the next, always; nothing when it is not seen so.
std::optional<std::int64_t> half_turns(const theory::ScoreFunction& law, const Expr& angle,
                                       const theory::Context& context) {
  if (!angle.mentions(theory::kIndex)) return 0;
  if (theory::mentions_cut_entropy(angle)) return std::nullopt;
  const Expr n = Expr::symbol(theory::kIndex), change = since_first(law, angle);
  const Expr step = theory::substitute(change, theory::kIndex, Expr(law.first + 1));
  const Expr half = theory::simplify(step / Expr::pi(), context);
  const bool linear = theory::to_form(change - step * (n - Expr(law.first)), context).is_zero();
  return !linear || half.number() == nullptr ? std::nullopt : half.number()->to_int64();
}

}  // namespace

// Half turns from one distance to the next, in all blocks alike but for whole turns, where f(n) W(n) is seen
// to be a multiple of one matrix.
std::optional<std::int64_t> ProofSearch::one_matrix() const {
  const theory::GradientMatrix matrix(law_, theory::GradientMatrix::Of::gradient, context_);
  const auto& blocks = matrix.blocks();
  if (blocks.empty()) return std::nullopt;
  const auto half = half_turns(law_, blocks.front().angle, context_);
  const bool same = half && std::ranges::all_of(blocks, [&](const theory::GradientMatrix::Block& block) {
                      const auto mine = half_turns(law_, block.angle, context_);
                      return mine && (*mine - *half) % 2 == 0 && !block.unknown &&
                             (block.factor == blocks.front().factor ||
                              theory::to_form(block.factor - blocks.front().factor, context_).is_zero());
                    });
  return same ? half : std::nullopt;
}

std::optional<ProofTerm> ProofSearch::factor_changes() const {
  const auto half = one_matrix();
  if (!half) return std::nullopt;
  const theory::GradientMatrix matrix(law_, theory::GradientMatrix::Of::gradient, context_);
  const auto at = [&](std::int64_t n) {
    const Expr turned = Expr((*half * (n - law_.first)) % 2 == 0 ? 1 : -1);
    return theory::to_form(
        turned * theory::substitute(matrix.blocks().front().factor, theory::kIndex, Expr(n)), context_);
  };
  const theory::Form first = at(law_.first);
  for (const std::int64_t to : distances()) {
    const theory::Form change = at(to) - first;
    const int sign = change.is_zero() || has_wave(theory::to_expr(change)) ? 0 : context_.sign(change);
    if (sign == 0) continue;
    return ProofTerm{.rule = Rule::factor_changes, .from = law_.first, .to = to, .e = sign};
  }
  return std::nullopt;
}

// Under a soft cap: a singular value of W(n) changes where f(n) W(n) is not 0.
std::optional<ProofTerm> ProofSearch::cap_changes() const {
  if (!law_.softcap) return std::nullopt;
  theory::ScoreFunction transform = law_;
  transform.gain = Expr(1);
  Found proof = ProofSearch(transform, Expr(1), context_, explicit_n_).size_changes();
  if (!proof) return std::nullopt;
  const Expr entry =
      theory::substitute(law_.gain * (law_.transform == Transform::scaled_rotation
                                          ? theory::substitute(law_.rotation.scale, "j", Expr(*proof->block))
                                          : Expr(1)),
                         theory::kIndex, Expr(law_.first));
  const int g = context_.sign(theory::to_form(entry, context_));
  if (g == 0) return std::nullopt;
  proof->rule = Rule::cap_changes;
  proof->g = g;
  return proof;
}

// Two blocks: one turns by a half turn, or changes its sign, and the other does not.
std::optional<ProofTerm> ProofSearch::flips() const {
  if (!law_.turns()) return std::nullopt;
  const theory::GradientMatrix matrix(law_, theory::GradientMatrix::Of::gradient, context_);
  const auto& blocks = matrix.blocks();
  for (const std::int64_t to : distances()) {
    if (to > law_.first + 8) break;
    const auto turned = [&](const theory::GradientMatrix::Block& block) -> std::optional<int> {
      const auto at = [&](const Expr& e, std::int64_t n) {
        return theory::substitute(e, theory::kIndex, Expr(n));
      };
      if (block.unknown || theory::mentions_cut_entropy(block.angle)) return std::nullopt;
      const Expr half = theory::simplify(at(since_first(law_, block.angle), to) / Expr::pi(), context_);
      const auto k = half.number() == nullptr ? std::nullopt : half.number()->to_int64();
      const int sign =
          k ? context_.sign(theory::to_form(at(block.factor, to) * at(block.factor, law_.first), context_))
            : 0;
      if (sign == 0) return std::optional<int>();
      return std::optional(*k % 2 == 0 ? sign : -sign);
    };
    const auto pivot = turned(blocks.front());
    if (!pivot) continue;
    for (std::size_t j = 1; j < blocks.size(); ++j) {
      const auto other = turned(blocks[j]);
      if (!other || *other == *pivot) continue;
      const auto step = [&](const Expr& angle) {
        return theory::simplify(
            theory::substitute(since_first(law_, angle), theory::kIndex, Expr(to)) / Expr::pi(), context_);
      };
      const Expr q = theory::simplify(step(blocks.front().angle) - step(blocks[j].angle), context_);
      return ProofTerm{.rule = Rule::flips,
                       .q = q,
                       .from = law_.first,
                       .to = to,
                       .block = 0,
                       .other = static_cast<int>(j)};
    }
  }
  return std::nullopt;
}

namespace {

// Whole turns at every n, as the rules see them: a polynomial with whole coefficients.
bool turns_wholly(const Expr& angle, const theory::Context& context) {
  const theory::Form turns = theory::to_form(angle / (Expr(2) * Expr::pi()), context);
  return std::ranges::all_of(turns.terms(), [](const theory::Term& term) {
    return term.coefficient.is_integer() &&
           std::ranges::all_of(term.powers, [](const theory::KernelPower& power) {
             return power.kernel->kind == theory::Kernel::Kind::symbol &&
                    power.kernel->name == theory::kIndex && power.exponent.is_integer() &&
                    power.exponent.sign() > 0;
           });
  });
}

}  // namespace

// What the rule "constant" sees: entries without n, but for waves of whole turns, and angles of whole turns.
bool ProofSearch::shows_steady(bool length) const {
  const theory::GradientMatrix matrix(law_, theory::GradientMatrix::Of::gradient, context_);
  const bool all = law_.softcap || !length;
  return std::ranges::all_of(matrix.blocks(), [&](const theory::GradientMatrix::Block& block) {
    const Expr entry = theory::rewrite(block.factor, [&](const Expr& part) {
      const auto* call = part.as<theory::node::Call>();
      const bool cosine = call != nullptr && call->function == theory::Function::cos;
      return cosine && turns_wholly(call->arguments.front(), context_) ? Expr(1) : part;
    });
    if (theory::to_form(length && !law_.softcap ? theory::abs(entry) : entry, context_)
            .mentions(theory::kIndex))
      return false;
    return !all || block.factor.is_number(0) || turns_wholly(since_first(law_, block.angle), context_);
  });
}

// Nothing of the gradient depends on n; or, for `length`, its length does not.
bool ProofSearch::is_steady(bool length) const {
  using theory::GradientMatrix;
  const GradientMatrix matrix(law_, GradientMatrix::Of::gradient, context_);
  if (std::ranges::all_of(matrix.blocks(),
                          [](const GradientMatrix::Block& b) { return b.factor.is_number(0); }))
    return true;
  if (length && !law_.softcap) return matrix.same_size_from(law_.first, law_.first);
  return matrix.same_from(law_.first, law_.first) &&
         (!law_.softcap ||
          GradientMatrix(law_, GradientMatrix::Of::transform, context_).same_from(law_.first, law_.first));
}

// An angle that changes by something between two whole (for `scalar`: half) turns.
std::optional<ProofTerm> ProofSearch::turns(bool scalar) const {
  if (!law_.turns()) return std::nullopt;
  if (Found found = turns_by_entropy()) return found;
  const Expr turn = Expr(scalar ? 1 : 2) * Expr::pi();
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    const Expr angle =
        replace_entropy(theory::substitute(law_.rotation.angle, "j", Expr(block)), Expr::symbol("H"));
    if (angle.mentions("H") || angle.mentions(theory::kLength)) continue;
    Expr factor = law_.gain;
    if (law_.transform == Transform::scaled_rotation)
      factor = factor * theory::substitute(law_.rotation.scale, "j", Expr(block));
    for (const std::int64_t to : distances()) {
      const auto at = [&](const Expr& e, std::int64_t n) {
        return theory::to_form(theory::substitute(e, theory::kIndex, Expr(n)), context_);
      };
      const theory::Form step = at(angle, to) - at(angle, law_.first);
      const theory::Form one_turn = theory::to_form(turn, context_);
      std::optional<Rational> whole;
      if (const auto range = context_.enclose(theory::to_form(theory::to_expr(step) / turn, context_), 64)) {
        const Rational low = range->low.floor();
        if (range->high < low + Rational(1) && low < range->low) whole = low;
      }
      if (!whole && context_.known_sign(step) == 1 && context_.known_sign(one_turn - step) == 1) whole = 0;
      if (!whole) continue;
      const auto sign_at = [&](std::int64_t n) {
        return theory::varies(factor) && factor.mentions(theory::kLength) ? 1 : context_.sign(at(factor, n));
      };
      const int e = sign_at(law_.first);
      const int g = sign_at(to);
      if (e == 0 || g == 0 || (!scalar && e != g)) continue;
      ProofTerm proof = {
          .rule = Rule::turns, .q = *whole, .from = law_.first, .to = to, .block = block, .e = e};
      if (scalar) proof.g = g;
      return proof;
    }
    if (!law_.rotation.angle.mentions("j")) break;
  }
  return std::nullopt;
}

// Theorem G1 (docs/theorems.md).
std::optional<ProofTerm> ProofSearch::turns_by_entropy() const {
  if (law_.window || law_.bias.mentions(theory::kLength) || law_.gain.mentions(theory::kLength) ||
      law_.transform != Transform::rotation)
    return std::nullopt;
  const Expr n = Expr::symbol(theory::kIndex);
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    const Expr angle = theory::substitute(law_.rotation.angle, "j", Expr(block));
    const Expr open = replace_entropy(angle, Expr::symbol("H"));
    if (!open.mentions("H")) return std::nullopt;
    const theory::Form c = theory::to_form(theory::substitute(open, "H", Expr(0)) / n, context_);
    if (theory::varies(c) || context_.sign(c) <= 0) continue;
    const int sign = context_.sign(
        theory::to_form(theory::substitute(law_.gain, theory::kIndex, Expr(law_.first)), context_));
    ProofTerm proof = {
        .rule = Rule::turns_by_entropy_fast, .c = theory::to_expr(c), .block = block, .e = sign};
    const Expr b = law_.bias, gain = Expr(sign) * law_.gain;
    if (Found found = far(proof, {-b - Expr(2) * iterated_log(1) - Expr(2) * iterated_log(2), gain}))
      return found;
    proof.rule = Rule::turns_by_entropy_slow;
    const Expr room = b + Expr(2) * iterated_log(1);
    if (const auto most = number_above(-room)) {
      proof.C = most;
      if (Found found = far(proof, {-b - iterated_log(1) - Expr(3) * iterated_log(2), room + *most, gain}))
        return found;
    }
    proof.rule = Rule::turns_by_entropy_divergent;
    proof.score = Score::b;
    return by_iterated_logs(proof, b, false, {gain}, {b - theory::substitute(b, theory::kIndex, n + Expr(1))},
                            true);
  }
  return std::nullopt;
}

// Two singular values whose ratio changes.
std::optional<ProofTerm> ProofSearch::stretches() const {
  const bool hyperbolic = law_.transform == Transform::hyperbolic;
  const Expr size = length_of(law_, 0, 1);
  for (int block = 0; block < law_.head_dim / 2; ++block) {
    for (const int branch : {-1, 1}) {
      if (!hyperbolic && branch < 0) continue;
      const Expr other = length_of(law_, block, branch);
      for (const std::int64_t to : distances()) {
        const auto at = [&](const Expr& e, std::int64_t n) {
          return theory::substitute(e, theory::kIndex, Expr(n));
        };
        const theory::Form change = theory::to_form(
            at(size, to) * at(other, law_.first) - at(other, to) * at(size, law_.first), context_);
        const int sign = change.is_zero() ? 0 : context_.sign(change);
        if (sign == 0) continue;
        ProofTerm proof = {
            .rule = Rule::stretches, .from = law_.first, .to = to, .block = 0, .other = block, .e = sign};
        if (hyperbolic) {
          proof.branch = 1;
          proof.turned = branch;
        }
        return proof;
      }
    }
  }
  return std::nullopt;
}

std::optional<ProofTerm> ProofSearch::gradient(theory::GradientReading reading, bool holds) const {
  using enum theory::GradientReading;
  if (!holds && !law_.has_content) return ProofTerm{.rule = Rule::no_content};
  if (!holds && law_.last() && *law_.last() == law_.first) return ProofTerm{.rule = Rule::one_key};
  if (!holds && law_.window_size && context_.sign(theory::to_form(*law_.window_size - Expr(2), context_)) < 0)
    return ProofTerm{.rule = Rule::one_key};
  if (!holds && is_steady(reading == norm) && shows_steady(reading == norm))
    return ProofTerm{.rule = Rule::constant};
  switch (reading) {
    case scalar: {
      if (!holds) return no_factor();
      if (Found found = factor_changes()) return found;
      return one_matrix() ? cap_changes() : std::nullopt;
    }
    case norm:
      if (!holds) return std::nullopt;
      if (Found found = size_changes()) return found;
      if (law_.softcap) {
        if (Found found = turns(true)) return found;
      }
      return cap_changes();
    case vector:
      if (!holds) return std::nullopt;
      if (Found found = size_changes()) return found;
      if (Found found = turns(false)) return found;
      if (Found found = factor_changes()) return found;
      return cap_changes();
  }
  return std::nullopt;
}

// The gradient is not g(n) R k: another block turns or stretches in another way, or the sign flips.
std::optional<ProofTerm> ProofSearch::no_factor() const {
  if (Found found = turns(true)) return found;
  const bool by_block = law_.transform == Transform::hyperbolic ||
                        (law_.transform == Transform::scaled_rotation && law_.rotation.scale.mentions("j"));
  if (by_block) {
    if (Found found = stretches()) return found;
  }
  return flips();
}

}  // namespace gpe::checks
