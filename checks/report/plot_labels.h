// Where the labels of a plot stand: beside the last mark of their curve, and off everything else.
#pragma once

#include <string>
#include <vector>

namespace gpe::checks {

/// A place in a picture, from its upper left corner.
struct Pixel {
  double x;
  double y;
};

struct PixelBox {
  double left;
  double top;
  double right;
  double bottom;
  bool contains(double x, double y) const { return left <= x && x <= right && top <= y && y <= bottom; }
  bool overlaps(const PixelBox& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
};

struct PlotLabel {
  double x;  ///< the last mark of its series
  double y;
  std::string text;
  std::string color;
};

/// Adds pixels along the straight line, near enough to one another that none passes under a label unseen.
void trace_line(std::vector<Pixel>& ink, const Pixel& from, const Pixel& to);

/// The labels as SVG texts, each where it covers least of what is drawn (`ink`), other labels before curves,
/// and inside of `room`; among such places the nearest to its mark. The same bytes for the same labels.
std::string placed_labels(std::vector<PlotLabel> labels, const std::vector<Pixel>& ink, const PixelBox& room);

}  // namespace gpe::checks
