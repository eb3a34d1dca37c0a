// Claims about all x >= X0, found by trying thresholds: the iterated-logarithm scale with explicit constants,
// and plain signs.
#pragma once

#include <optional>
#include <string>

#include "checks/halfline/tail_form.h"
#include "theory/asymptotics/convergence.h"

namespace gpe::checks {

/// X0 with L_depth(X0) = ell.
struct Threshold {
  int depth;
  theory::Rational ell;
  std::optional<theory::Rational> first_integer;  ///< least integer >= X0, when it can be written down
};
/// "n >= 28", or "log(log(n)) >= 50" for thresholds too large to write.
std::string to_text(const Threshold& threshold);
/// An integer that a verifier with 256 bits sees to be >= X0, when it can be written down: the least, and
/// beyond 10^18 one that is larger by a part of 2^-60, as L_depth of the least one lies too near to `ell`.
std::optional<theory::Rational> certified_integer(const Threshold& threshold);

/// CONV: A(n) <= C - L_1 - … - L_level - (1 + eta)·L_{level+1} for n >= X0, so Σ_{n>N} e^A <=
/// e^C·L_level(N)^-eta/eta. DIV:  A(n) >= -C - L_1 - … - L_{level+1} for n >= X0.
struct ScaleClaim {
  bool converges;
  int level;
  theory::Rational eta;  ///< CONV only
  theory::Rational constant;
  Threshold threshold;
};

/// Proves what decide_sum decided, with an explicit threshold; nothing when no threshold tried suffices.
std::optional<ScaleClaim> prove_on_scale(const theory::Expr& score, const theory::SumDecision& decision,
                                         const theory::Context& context);

/// The smallest threshold tried from which every claim is proved positive, or, for those in `weak`,
/// nonnegative, and the functions in `defined` are enclosed; nothing when none suffices.
std::optional<Threshold> prove_positive(const std::vector<theory::Expr>& claims,
                                        const std::vector<theory::Expr>& weak,
                                        const std::vector<theory::Expr>& defined,
                                        const theory::Context& context);

/// The smallest threshold tried from which the first term exceeds the rest in size, so that the expression
/// has its sign; nothing when none suffices.
std::optional<Threshold> prove_leading_term(const theory::Expr& expression, const theory::Context& context);

}  // namespace gpe::checks
