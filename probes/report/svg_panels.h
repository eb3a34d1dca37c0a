// Small pictures of one kind in rows and columns, as SVG: every panel with the same axes.
#pragma once

#include <string>
#include <vector>

namespace gpe::probes {

struct PanelPoint {
  double x, y;
};

/// Of one panel. Coordinates that are not finite break a line; what lies outside of the axes is cut off.
struct PanelLine {
  enum class Style { line, dashed, marks };
  std::vector<PanelPoint> points;
  std::string color;
  Style style = Style::line;
};
struct PanelBand {
  std::vector<PanelPoint> lower, upper;  ///< at the same x
  std::string color;
};
struct Panel {
  std::vector<PanelBand> bands;  ///< the first ones lie below
  std::vector<PanelLine> lines;
};

struct PanelGrid {
  std::string title;
  std::vector<std::pair<std::string, std::string>> legend;  ///< (color, what it is)
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  std::vector<std::pair<double, std::string>> x_ticks, y_ticks;
  std::vector<std::vector<Panel>> panels;  ///< [layer][head]
};

/// One panel as a picture of its own, with its ticks: for pages that set them side by side. Words and lines
/// have no color of their own.
/// @param name  for the reader, and as part of the identifiers inside; unlike those of other pictures of a
/// page
std::string svg_panel(const PanelGrid& grid, const Panel& panel, const std::string& name);

/// Numbers in squares, darker the larger their share.
struct ShadedTable {
  std::string title;
  std::vector<std::vector<double>> numbers, shares;  ///< [layer][head]; shares from 0 to 1
};

/// One after the other, from the top down. The same bytes for the same input.
std::string svg_page(const std::string& title, const ShadedTable& table, const std::vector<PanelGrid>& grids);

}  // namespace gpe::probes
