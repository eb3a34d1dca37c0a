// How Z_L and H_L grow when they do not converge: theorem K1 (docs/theorems.md), for the bias alone.
#pragma once

#include <optional>

#include "theory/context.h"
#include "theory/expr.h"

namespace gpe::theory {

/// Leading forms in L; asymptotics, never predictions at a given length. Nothing where no law applies, or
/// where the quantity converges.
struct GrowthLaws {
  std::optional<Expr> z;
  std::optional<Expr> entropy;
};

/// @param score  without free parameters and without L
GrowthLaws growth_laws(const Expr& score, const Context& context);

}  // namespace gpe::theory
