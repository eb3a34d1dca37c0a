// Entropies that follow from the law alone, and from it and one norm, in double precision: as certified sums
// give them (checks/sums/sums.h, checks/content/sphere.h), and fast.
#pragma once

#include <optional>
#include <string>

#include "probes/measure/score_columns.h"

namespace gpe::probes {

/// An entropy in nats, or why there is none.
struct Predicted {
  std::optional<double> value;
  std::string reason;
};

/// H of the bias alone.
double bias_entropy(const ScoreColumns& columns);

/// log E Z - E Σ A e^A/E Z when query and keys have directions that are independent and uniform:
/// E e^{ux} = M(u) = 0F1(; d/2; u²/4) with u = |f(n)| w(n) scale.
/// @param scale  |q||k|/√d
/// @return nothing for soft caps and for W(n) that is not a multiple of an orthogonal matrix
Predicted sphere_entropy(const theory::ScoreFunction& law, const ScoreColumns& columns, double scale);

}  // namespace gpe::probes
