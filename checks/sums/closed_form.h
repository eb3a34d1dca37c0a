// Sums that have a closed form: A(n) = a - delta·n - beta·log(1 + n).
#pragma once

#include <optional>
#include <string>

#include "checks/sums/moments.h"
#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

struct ClosedForm {
  Moments moments;  ///< d is not finite when Σ n e^A diverges
  std::string name;
};

/// Recognizes the score and sums it over n >= first; nothing when it is another kind of score, or one whose
/// closed form would cancel too many digits.
///   beta = 0: geometric.  delta = 0: zeta(beta), beta > 1.  Both: e^delta Li_beta(e^-delta).
/// @pre the sum converges
std::optional<ClosedForm> closed_form(const theory::Expr& score, std::int64_t first, long bits,
                                      const theory::Context& context);

}  // namespace gpe::checks
