// The certificate of a design: that the best meets the requirements, and the boxes in which none is better
// (docs/certificates.md, D1 and D2).
#pragma once

#include "checks/design/design.h"
#include "checks/report/json_number.h"

namespace gpe::checks {

/// @pre the design is closed, or it has an objective and a bound
/// @throws theory::Undecided  when a sum has no proof in the format, saying where
Json design_certificate(const OrderedFamily& family, const DesignProblem& problem, const Design& design,
                        const theory::Context& context);

/// The parameters of a point by name, exactly.
Json point_json(const OrderedFamily& family, const ParameterPoint& point);

}  // namespace gpe::checks
