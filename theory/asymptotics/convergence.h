// Does Σ e^{A(n)} converge? The iterated-logarithm scale of docs/asymptotics.md, on exact or two-sided
// enclosures. Tests: tests/theory/asymptotics/pieces_test.cpp, tests/theory/properties/instances_test.cpp
#pragma once

#include <string>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// The decisive step: A + L_1 + … + L_level compared with L_{level+1} (L_j the j-fold logarithm of n, in a
/// residue class n = Mk + r of k).
struct SumDecision {
  bool converges = false;
  int level = 0;
  std::string reason;  ///< one sentence
};

/// Decides Σ_n exp(score(n)) over all large integers n.
///   ℓ_0 = lim A/log n < -1 converges, > -1 diverges, = -1: continue with A + log n against log log n,
///   and so on.
/// Floors, oscillation and conditions are bounded from both sides; periodic ones are split into residue
/// classes. Where the bounds do not settle it, terms that do not tend to 0 do
/// (theory/asymptotics/limit_points.h).
/// @throws SplitRequest, Undecided, Undefined.
SumDecision decide_sum(const Expr& score, const Context& context);

/// Decides Σ_n |score(n)|·exp(score(n)) for a score that tends to -infinity: the iterated-logarithm scale on
/// A + log(-A).
SumDecision decide_weighted_sum(const Expr& score, const Context& context);

}  // namespace gpe::theory
