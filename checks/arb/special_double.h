// Special functions of doubles, to full accuracy.
#pragma once

#include "theory/expression/expr.h"

namespace gpe::checks {

/// atan, erfc, lgamma or polygamma (of that order) at x, rounded from a ball; NaN where it is not defined.
double special_double(theory::Function function, int order, double x);
/// Its derivative.
double special_slope(theory::Function function, int order, double x);

}  // namespace gpe::checks
