// Proofs about Σ e^A and Σ |A| e^A: the iterated-logarithm scale with explicit constants.
// Tests: tests/certificates/library.cmake
#include <algorithm>

#include "checks/certificate/proof_search.h"
#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/convergence.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Expr;
using theory::Limit;

// `a` is what is compared with the iterated logarithms. Residue classes are proved one by one; for divergence
// one is enough, unless the rule is about `every` one.
std::optional<ProofTerm> ProofSearch::by_iterated_logs(ProofTerm proof, const Expr& a, bool converges,
                                                       const Exprs& claims, const Exprs& weak,
                                                       bool every) const {
  const std::int64_t modulus = theory::residue_modulus(a, context_);
  const std::vector<Expr> classes = theory::residue_classes(a, modulus);
  int level = 0;
  std::vector<std::size_t> shown;
  for (std::size_t r = 0; r < classes.size(); ++r) {
    const theory::SumDecision decision = theory::decide_sum(classes[r], context_);
    const bool fits = decision.converges == converges;
    if (!fits && (converges || every)) return std::nullopt;
    if (!fits || (!converges && !every && !shown.empty())) continue;
    level = std::max(level, decision.level);
    shown.push_back(r);
  }
  if (shown.empty()) return std::nullopt;
  proof.k = level;
  if (modulus > 1) proof.classes.modulus = modulus;
  if (modulus > 1 && !converges && !every) proof.classes.residue = static_cast<std::int64_t>(shown.front());
  Expr sum_of_logs(0);
  for (int k = 1; k <= level; ++k) sum_of_logs = sum_of_logs + iterated_log(k);

  const Expr constant(explicit_n_ ? 10 : 1);
  proof.C = constant;
  Exprs all;
  Exprs all_weak;
  const auto add_others = [&](std::size_t r) {
    for (const Expr& e : claims) all.push_back(theory::residue_classes(e, modulus)[r]);
    for (const Expr& e : weak) all_weak.push_back(theory::residue_classes(e, modulus)[r]);
  };
  if (!converges) {
    for (const std::size_t r : shown) {
      all.push_back(classes[r] + constant + sum_of_logs + iterated_log(level + 1));
      add_others(r);
    }
    return far(proof, all, all_weak);
  }
  Expr eta(1);  // or half of what the largest coefficient leaves
  bool first = true;
  for (const Expr& one : classes) {
    const Limit ratio = theory::limit((one + sum_of_logs) / iterated_log(level + 1), context_).high;
    if (ratio.kind == Limit::Kind::plus_infinity) return std::nullopt;
    if (ratio.kind == Limit::Kind::minus_infinity) continue;
    const Expr half = theory::simplify((Expr(-1) - theory::to_expr(ratio.value)) / Expr(2), context_);
    if (first || context_.sign(theory::to_form(eta - half, context_)) > 0) eta = half;
    first = false;
  }
  proof.eta = eta;
  for (std::size_t r = 0; r < classes.size(); ++r) {
    all.push_back(constant - classes[r] - sum_of_logs - (Expr(1) + eta) * iterated_log(level + 1));
    add_others(r);
  }
  return far(proof, all, all_weak);
}

std::optional<ProofTerm> ProofSearch::sum(Score score, const Expr& a, bool converges) const {
  const Rule rule = converges ? Rule::sum_converges : Rule::sum_diverges;
  return by_iterated_logs({.rule = rule, .score = score}, a, converges, {}, {});
}

// With U = -A; or with U = 3 log n, which is enough where A outweighs log n.
std::optional<ProofTerm> ProofSearch::weighted_sum(Score score, const Expr& a, bool converges,
                                                   bool every) const {
  ProofTerm proof = {.rule = converges ? Rule::weighted_sum_converges : Rule::weighted_sum_diverges,
                     .score = score};
  if (converges) {
    const Expr simple = Expr(3) * iterated_log(1);
    if (theory::limit(a / iterated_log(1), context_).high.kind == Limit::Kind::minus_infinity) {
      proof.U = simple;
      if (Found found = by_iterated_logs(proof, theory::log(simple) - simple, true, {},
                                         {-a - simple, simple - Expr(1)}))
        return found;
      proof.U.reset();
    }
  }
  return by_iterated_logs(proof, a + theory::log(-a), converges, {}, {-a - Expr(1)}, every);
}

std::optional<ProofTerm> ProofSearch::normalization(theory::NormalizationReading reading, bool holds) const {
  switch (reading) {
    case theory::NormalizationReading::some_content:
      return sum(Score::below, below_, holds);
    case theory::NormalizationReading::every_content:
      return sum(Score::above, above_, holds);
    case theory::NormalizationReading::expected:
      return expected(holds);
  }
  return std::nullopt;
}

ProofSearch::Found ProofSearch::expected(bool holds) const {
  if (theory::limit(amplitude_, context_).high.kind == Limit::Kind::finite)
    return holds ? sum(Score::above, above_, true) : sum(Score::b, law_.bias, false);
  const bool plain =
      (law_.transform == theory::Transform::identity || law_.transform == theory::Transform::rotation) &&
      !law_.softcap;
  if (!plain) return std::nullopt;
  const Expr mean = above_ - Expr(theory::Rational(law_.head_dim - 1, 2)) * theory::log(amplitude_);
  const Rule rule = holds ? Rule::sum_converges : Rule::sum_diverges;
  return by_iterated_logs({.rule = rule, .score = Score::mean}, mean, holds, {amplitude_ - Expr(1)}, {});
}

std::optional<ProofTerm> ProofSearch::entropy(theory::EntropyReading reading, bool holds) const {
  const auto limit = [&](Score score, const Expr& a) {
    const bool weighted = holds || theory::decide_sum(a, context_).converges;
    return weighted ? weighted_sum(score, a, holds) : sum(score, a, false);
  };
  switch (reading) {
    case theory::EntropyReading::limit:
      return limit(Score::above, above_);
    case theory::EntropyReading::some_content:
      return limit(Score::below, below_);
    case theory::EntropyReading::uniform:
      if (!holds) return unbounded_entropy();
      if (theory::decide_sum(above_, context_).converges) return weighted_sum(Score::above, above_, true);
      return last_tokens();
  }
  return std::nullopt;
}

// Some content for which H_L is unbounded.
std::optional<ProofTerm> ProofSearch::unbounded_entropy() const {
  for (const Score score : {Score::b, Score::above, Score::below}) {
    const Expr& a = score_called(score);
    if (theory::decide_sum(a, context_).converges) {
      if (theory::decide_weighted_sum(a, context_).converges) continue;
      if (Found found = weighted_sum(score, a, false, true)) return found;
      continue;
    }
    if (const auto most = number_above(a)) {
      const ProofTerm proof = {.rule = Rule::sum_diverges_bounded, .score = score, .M = most};
      if (Found found = by_iterated_logs(proof, a, false, {*most - a}, {}, true)) return found;
      continue;
    }
    const Expr n = Expr::symbol(theory::kIndex);
    const Expr step = a - theory::substitute(a, theory::kIndex, n - Expr(1));
    for (int i = 1; i <= 5; ++i) {
      const ProofTerm proof = {.rule = Rule::levels_out, .score = score, .i = i};
      if (Found found = far(proof, {Expr(1) / iterated_log(i) - step}, {step})) return found;
    }
  }
  return std::nullopt;
}

// Increments that stay positive: S is the score, without floors and contents.
std::optional<ProofTerm> ProofSearch::last_tokens() const {
  const Expr n = Expr::symbol(theory::kIndex);
  const Expr& s = law_.bias;
  const Expr step = s - theory::substitute(s, theory::kIndex, n - Expr(1));
  const Limit slope = theory::limit(step, context_).low;
  if (slope.kind == Limit::Kind::minus_infinity || theory::sign(slope, context_) <= 0) return std::nullopt;
  const Expr least = slope.kind == Limit::Kind::finite ? theory::to_expr(slope.value) / Expr(2) : Expr(1);
  const auto most = number_above(amplitude_);
  if (!most) return std::nullopt;
  return far({.rule = Rule::last_tokens, .M = most, .S = s, .c = least}, {step - least},
             {*most - above_ + s, *most + below_ - s});
}

}  // namespace gpe::checks
