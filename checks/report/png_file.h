// Pictures as files: SVG, or PNG through rsvg-convert of librsvg.
#pragma once

#include <string>

namespace gpe::checks {

/// The picture of an SVG, at twice its size in pixels.
/// @return the bytes of a PNG
/// @throws theory::SpecError  when rsvg-convert is not installed, naming the package;
///         std::runtime_error  when it fails
std::string png_of_svg(const std::string& svg);

/// Whether a picture's name ends in .png; else it ends in .svg.
/// @param option  that named it
/// @throws theory::SpecError  another ending
bool is_png(const std::string& option, const std::string& file);
/// The SVG, or its PNG, as the name ends.
void write_picture(const std::string& option, const std::string& file, const std::string& svg);

}  // namespace gpe::checks
