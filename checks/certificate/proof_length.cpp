// Proofs for laws that mention L: claims about all n <= L, for all large L.
// Tests: tests/certificates/library.cmake
#include "checks/certificate/proof_search.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Expr;
using theory::Limit;

std::optional<ProofTerm> ProofSearch::with_length(theory::NormalizationReading reading, bool holds) const {
  switch (reading) {
    case theory::NormalizationReading::every_content:
      return length_sum(Score::above, {.weighted = false, .every = true}, holds);
    case theory::NormalizationReading::some_content:
      return length_sum(Score::below, {.weighted = false, .every = false}, holds);
    case theory::NormalizationReading::expected:
      return length_sum(holds ? Score::above : Score::b, {.weighted = false, .every = false}, holds);
  }
  return std::nullopt;
}

std::optional<ProofTerm> ProofSearch::with_length(theory::EntropyReading reading, bool holds) const {
  switch (reading) {
    case theory::EntropyReading::limit:
      return length_sum(Score::above, {.weighted = true, .every = true}, holds);
    case theory::EntropyReading::some_content:
      return length_sum(Score::below, {.weighted = true, .every = false}, holds);
    case theory::EntropyReading::uniform:
      return holds ? std::nullopt : length_spread();
  }
  return std::nullopt;
}

const Expr& ProofSearch::score_called(Score score) const {
  if (score == Score::b) return law_.bias;
  return score == Score::above ? above_ : below_;
}

namespace {

Expr log_of_length(int i) {
  Expr result = Expr::symbol(theory::kLength);
  for (int k = 0; k < i; ++k) result = theory::log(result);
  return result;
}

}  // namespace

// A lower bound of the claim's infimum over the distances, as L tends to infinity.
Limit ProofSearch::lowest(const Expr& claim) const {
  return theory::attempt([&] { return theory::length_bounds(claim, law_, context_).low; })
      .value_or({Limit::Kind::minus_infinity, {}});
}

std::optional<ProofTerm> ProofSearch::length_spread() const {
  for (const Score score : {Score::b, Score::above, Score::below}) {
    const Expr& a = score_called(score);
    const auto bounds = theory::length_bounds(a, law_, context_);
    for (int i = 2; i <= 3; ++i) {
      if (bounds.high.kind != Limit::Kind::finite && bounds.low.kind != Limit::Kind::finite &&
          lowest(log_of_length(1) - log_of_length(i) + a).kind == Limit::Kind::minus_infinity)
        continue;
      return with_far_threshold({.rule = Rule::length_spread, .score = score, .i = i});
    }
  }
  return std::nullopt;
}

// Z_L, or the entropy's sum when `weighted`, for one score; `every` content, or this one.
std::optional<ProofTerm> ProofSearch::length_sum(Score score, LengthSum of, bool holds) const {
  if (law_.window) return window_sum(score, holds);
  const Expr& a = score_called(score);
  const auto grows = [&](Rule rule, const Expr& base) -> Found {
    for (int i = 1; i <= 3; ++i) {
      const Limit low = lowest(base - log_of_length(i));
      if (low.kind == Limit::Kind::minus_infinity || theory::sign(low, context_) <= 0) continue;
      return with_far_threshold({.rule = rule, .score = score, .i = i});
    }
    return std::nullopt;
  };
  const auto constant_for = [&](const Expr& claim) -> std::optional<Expr> {  // C + claim > 0
    const Limit low = lowest(claim);
    if (low.kind == Limit::Kind::minus_infinity) return std::nullopt;
    return low.kind == Limit::Kind::plus_infinity ? Expr(1) : Expr(1) - theory::to_expr(low.value);
  };
  if (!holds) {
    if (Found found = grows(Rule::length_diverges, a + log_of_length(1))) return found;
    if (of.every) {
      const Expr first = theory::substitute(a, theory::kIndex, Expr(law_.first));
      if (Found found = grows(Rule::first_diverges, first)) return found;
    }
    if (!of.weighted) return std::nullopt;
    const auto constant = constant_for(a + log_of_length(1));
    if (!constant) return std::nullopt;
    return with_far_threshold({.rule = Rule::length_levels, .score = score, .C = constant});
  }
  const Expr room = -a - theory::log(Expr(1) + Expr::symbol(theory::kLength));
  const auto constant = constant_for(
      of.weighted ? room - theory::log(Expr(1) + theory::call(theory::Function::abs, {a})) : room);
  if (!constant) return std::nullopt;
  const Rule rule = of.weighted ? Rule::length_weighted_converges : Rule::length_converges;
  return with_far_threshold({.rule = rule, .score = score, .C = constant});
}

// A window of a score that mentions L: each of its scores stays bounded, or one does not.
std::optional<ProofTerm> ProofSearch::window_sum(Score score, bool holds) const {
  const Expr& a = score_called(score);
  if (holds) {
    const Limit high = theory::length_bounds(a, law_, context_).high;
    if (high.kind == Limit::Kind::plus_infinity) return std::nullopt;
    const Expr most = high.kind == Limit::Kind::finite ? theory::to_expr(high.value) + Expr(1) : Expr(1);
    return with_far_threshold({.rule = Rule::window_converges, .score = score, .C = most});
  }
  std::vector<std::int64_t> to = distances();
  to.insert(to.begin(), law_.first);
  for (const std::int64_t n : to) {
    const Expr at = theory::substitute(theory::substitute(a, theory::kIndex, Expr(n)), theory::kLength,
                                       Expr::symbol(theory::kIndex));
    for (int i = 1; i <= 3; ++i) {
      if (theory::sign(theory::limit(at - iterated_log(i), context_).low, context_) <= 0) continue;
      return with_far_threshold({.rule = Rule::window_diverges, .score = score, .i = i, .to = n});
    }
  }
  return std::nullopt;
}

}  // namespace gpe::checks
