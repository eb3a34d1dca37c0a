// Numbers and words as SVG has them.
#pragma once

#include <string>

namespace gpe::checks {

/// One digit after the point.
std::string svg_number(double value);
/// Safe between tags and in quoted attributes, of SVG and of HTML; lines as theory::printable_lines has them.
std::string svg_text(const std::string& text);

/// A text element; `anchor` is start, middle or end, `more` further attributes with a space before each.
std::string svg_text_at(double x, double y, const std::string& anchor, const std::string& text,
                        const std::string& more = "");

}  // namespace gpe::checks
