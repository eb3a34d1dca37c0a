// Numbers and words as SVG has them.
#pragma once

#include <string>

namespace gpe::checks {

/// One digit after the point.
std::string svg_number(double value);
/// Without what would begin a tag or an entity.
std::string svg_text(const std::string& text);

}  // namespace gpe::checks
