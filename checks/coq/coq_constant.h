// Constants whose sign or value Coq's tactics find. They know the signs of terms, but add no roots and
// logarithms up, and do not see that sqrt(2)*sqrt(3) - sqrt(6) is 0. Tests: tests/cli/certificates.cmake
#pragma once

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// The form of a constant. @throws NotExported  where the tactics do not find its sign
theory::Form coq_constant(const theory::Expr& constant, const theory::Context& context);
/// @throws NotExported  for an angle that is constant, but not as it is written, in each case of its
/// conditions
void require_still(const theory::Expr& angle);

}  // namespace gpe::checks
