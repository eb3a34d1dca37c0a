// Leading terms: e(n) ~ c g(n), g a product of powers of n, log n, log log n, …, with the steps by which Coq
// follows. Tests: tests/proofs/missing.py, tests/proofs/exports.cmake
#pragma once

#include <string>
#include <vector>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// What theory/proofs/Asymptotics.v calls asy e exponents coefficient.
struct Leading {
  bool zero = false;                    ///< e is 0, and nothing else is said
  std::vector<theory::Expr> exponents;  ///< of n, log n, log log n, …
  theory::Expr coefficient = theory::Expr(0);
  int sign = 0;       ///< of the coefficient; 0: e is smaller than the growth
  std::string proof;  ///< a tactic for asy (fun n => e) ?exponents ?coefficient, or for forall n, e = 0
};

/// @throws NotExported  where no lemma applies
/// @throws theory::SplitRequest, theory::Undecided  as theory::decide
Leading leading(const theory::Expr& expression, const theory::Context& context);

/// A tactic for eventually (fun n => 0 <= e).
std::string eventually_nonnegative(const theory::Expr& expression, const theory::Context& context);

}  // namespace gpe::checks
