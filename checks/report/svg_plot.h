// A plot of curves and points as SVG: axes, ticks and labels at the ends of curves, nothing more.
#pragma once

#include <string>
#include <vector>

namespace gpe::checks {

struct PlotPoint {
  double x;
  double y;
  bool filled = true;  ///< a filled or a hollow mark
};

struct PlotSeries {
  std::string label;              ///< beside its last point
  std::vector<PlotPoint> points;  ///< in drawing order; those that are not finite are left out
  bool line = true;
  bool marks = true;
  bool reference = false;  ///< a bound to compare with: grey, without marks
};

struct Plot {
  std::string x_label;
  std::string y_label;
  bool x_log = false;
  std::vector<PlotSeries> series;
};

/// The same bytes for the same plot. Coordinates are doubles: a picture proves nothing.
/// @param width, height  in pixels
std::string svg(const Plot& plot, int width = 720, int height = 460);

/// Tick places within [low, high], at most about eight: 1, 2 or 5 times a power of ten, or powers of ten.
std::vector<double> tick_places(double low, double high, bool log);

}  // namespace gpe::checks
