// A design as a page of text, as JSON, and as an encoding file.
#pragma once

#include <string>

#include "checks/design/design.h"

namespace gpe::checks {

std::string design_text(const OrderedFamily& family, const DesignProblem& problem, const Design& design);
std::string design_json(const OrderedFamily& family, const DesignProblem& problem, const Design& design);
/// Of a family that is not ordered, or is not seen to be.
std::string undecided_json(const std::string& family, const std::vector<FreeParameter>& free,
                           const theory::Rational& bound, const DesignProblem& problem,
                           const std::string& reason);

/// The family's file with the parameters of the point for defaults, and a title that says what for.
/// @throws theory::SpecError  for families with tables, whose files would have to be copied
std::string design_toml(const OrderedFamily& family, const DesignProblem& problem,
                        const ParameterPoint& point);

}  // namespace gpe::checks
