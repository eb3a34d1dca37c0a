// How Z_L and H_L grow when they do not converge: theorem K1 (docs/theorems.md), for the bias alone.
#pragma once

#include <optional>

#include "theory/score/score_function.h"

namespace gpe::theory {

/// Leading forms in L, as far as K1 proves them; asymptotics, never predictions at a given length. Nothing
/// where no law applies, or where the quantity converges.
struct GrowthLaws {
  std::optional<Expr> z;
  std::optional<Expr> entropy;
};

/// @param law  without free parameters; those with a window or with L in the bias have no law
GrowthLaws growth_laws(const ScoreFunction& law, const Context& context);

}  // namespace gpe::theory
