// Orders of sums, entropies, ranges and windows that follow from two biases, for all values of what is left
// open.
#pragma once

#include <optional>

#include "checks/audit/scope.h"

namespace gpe::checks {

/// left <relation> right, when both are the same number of two encodings without content, by one of
/// (docs/theorems.md):
///   O1  b_X <= b_Y                            =>  Z_X <= Z_Y
///   O2  b_X <= b_Y <= 0                       =>  within_X(C) <= within_Y(C)
///   O3  b_X - b_Y and b_Y do not increase     =>  H_X <= H_Y, E_X n <= E_Y n, W_X(eps) <= W_Y(eps)
/// Nothing when no hypothesis is proved; never a refutation.
std::optional<theory::Decision> order_by_bias(const ClaimQuantity& left, theory::Relation relation,
                                              const ClaimQuantity& right, const AuditScope& scope,
                                              const theory::Context& context);

}  // namespace gpe::checks
