// PNG from SVG, through rsvg-convert of librsvg.
#pragma once

#include <string>

namespace gpe::checks {

/// The picture of an SVG, at twice its size in pixels.
/// @return the bytes of a PNG
/// @throws theory::SpecError  when rsvg-convert is not installed, naming the package;
///         std::runtime_error  when it fails
std::string png_of_svg(const std::string& svg);

}  // namespace gpe::checks
