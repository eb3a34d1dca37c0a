// The claim language: text -> Formula.
#pragma once

#include <string>
#include <vector>

#include "checks/audit/formula.h"

namespace gpe::checks {

/// @param families, encodings  names that the file gives; other encodings are of the library
/// @throws theory::ParseError  with the place in `text` (line breaks count as spaces)
Formula parse_formula(const std::string& text, const std::vector<std::string>& families,
                      const std::vector<std::string>& encodings);

}  // namespace gpe::checks
