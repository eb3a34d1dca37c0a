// A proof as the search finds it: a rule of docs/certificates.md with its witnesses, under the names that
// page gives them. Tests: tests/certificates/library.cmake
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "checks/halfline/tail_claims.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

enum class Rule {
  // sums
  sum_converges,
  sum_diverges,
  weighted_sum_converges,
  weighted_sum_diverges,
  sum_diverges_bounded,
  levels_out,
  last_tokens,
  // sums of laws that mention L
  length_diverges,
  first_diverges,
  length_converges,
  length_levels,
  length_weighted_converges,
  length_spread,
  window_converges,
  window_diverges,
  // long distance
  bias_stays,
  bias_stays_positive,
  bias_oscillates,
  bias_vanishes,
  bias_not_positive,
  length_bias_not_positive,
  content_stays,
  content_stays_likely,
  content_vanishes,
  both_vanish,
  bias_bounded_below,
  bias_sinks,
  // the gradient
  size_changes,
  factor_changes,
  turns,
  flips,
  stretches,
  cap_changes,
  turns_by_entropy_fast,
  turns_by_entropy_slow,
  turns_by_entropy_divergent,
  constant,
  one_key,
  // any of them
  no_content,
  window,  // the last
};
std::string_view name_of(Rule rule);  ///< "sum-converges"

enum class Score { above, below, b, mean };
std::string_view name_of(Score score);  ///< "above"

/// Classes of n by their residue: one of them, or all where only the modulus is given.
struct Residues {
  std::optional<std::int64_t> modulus = {}, residue = {};
};

/// What a rule does not use is absent. Numbers are formulas without n; U and S are formulas of n.
struct ProofTerm {
  Rule rule;
  std::optional<Score> score = {};
  std::optional<theory::Expr> C = {}, M = {}, S = {}, U = {}, c = {}, eta = {}, eps = {}, p = {}, q = {};
  std::optional<int> i = {}, k = {};  ///< of iterated logarithms
  Residues classes = {};
  std::optional<std::int64_t> from = {}, to = {};  ///< two distances
  std::optional<int> block = {}, other = {};       ///< of the gradient, from 0
  std::optional<int> branch = {}, turned = {};     ///< of hyperbolic blocks: 1 or -1
  std::optional<int> e = {}, g = {};               ///< signs
  std::optional<Threshold> threshold = {};         ///< only where n is explicit
};

/// How Z is enclosed, or that it is infinite: terms up to `direct` one by one, Euler-Maclaurin formulas with
/// `order` derivatives over `levels` doublings, and the tail. All are absent in a window.
struct SumProof {
  std::optional<int> direct = {}, order = {}, levels = {};
  std::optional<ProofTerm> tail = {};
};

}  // namespace gpe::checks
