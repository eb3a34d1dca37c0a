#include "probes/report/svg_panels.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "checks/report/svg_text.h"

namespace gpe::probes {

namespace {

constexpr double kLeft = 74;
constexpr double kWidth = 132;  // of a panel
constexpr double kHeight = 84;
constexpr double kGap = 10;
constexpr double kSquare = 44;
constexpr double kRow = 26;   // of the table
constexpr double kHead = 62;  // title, legend and names of heads
constexpr double kFoot = 34;

std::string words(double x, double y, const std::string& anchor, const std::string& text,
                  const std::string& more = "") {
  return "<text x=\"" + checks::svg_number(x) + "\" y=\"" + checks::svg_number(y) + "\" text-anchor=\"" +
         anchor + "\"" + more + ">" + checks::svg_text(text) + "</text>\n";
}

// Where one panel's numbers lie.
class Frame {
 public:
  Frame(const PanelGrid& grid, double left, double top) : grid_(grid), left_(left), top_(top) {}
  double x(double value) const {
    return left_ + kWidth * (value - grid_.x_low) / (grid_.x_high - grid_.x_low);
  }
  double y(double value) const {
    const double share = (value - grid_.y_low) / (grid_.y_high - grid_.y_low);
    return top_ + kHeight * (1 - std::clamp(share, -1.0, 2.0));
  }
  std::string point(const PanelPoint& p) const {
    return checks::svg_number(x(p.x)) + "," + checks::svg_number(y(p.y));
  }

  std::string band(const PanelBand& band) const {
    std::string points;
    for (const PanelPoint& p : band.lower) points += point(p) + " ";
    for (auto p = band.upper.rbegin(); p != band.upper.rend(); ++p) points += point(*p) + " ";
    return "<polygon points=\"" + points + "\" fill=\"" + band.color + "\"/>\n";
  }

  std::string line(const PanelLine& line) const {
    if (line.style == PanelLine::Style::marks) {
      std::string result;
      for (const PanelPoint& p : line.points) {
        if (std::isfinite(p.y))
          result += "<circle cx=\"" + checks::svg_number(x(p.x)) + "\" cy=\"" + checks::svg_number(y(p.y)) +
                    "\" r=\"1.8\" fill=\"" + line.color + "\"/>\n";
      }
      return result;
    }
    std::string path;
    bool inside = false;
    for (const PanelPoint& p : line.points) {
      if (std::isfinite(p.y)) path += (inside ? " L" : " M") + point(p);
      inside = std::isfinite(p.y);
    }
    if (path.empty()) return "";
    const std::string dashes = line.style == PanelLine::Style::dashed ? " stroke-dasharray=\"4 2.5\"" : "";
    return "<path d=\"" + path.substr(1) + "\" fill=\"none\" stroke=\"" + line.color +
           "\" stroke-width=\"1.3\"" + dashes + "/>\n";
  }

 private:
  const PanelGrid& grid_;
  double left_, top_;
};

std::string names(const char* what, double left, double step, double y, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += words(left + step * (static_cast<double>(i) + 0.5), y, "middle",
                  std::string(what) + " " + std::to_string(i + 1));
  return text;
}

// @param bottom  where it ends
std::string table_at(const ShadedTable& table, double top, double& bottom) {
  std::string text = words(kLeft, top + 16, "start", table.title, " font-weight=\"bold\"");
  text += names("head", kLeft, kSquare + 4, top + 36, table.numbers.front().size());
  for (std::size_t layer = 0; layer < table.numbers.size(); ++layer) {
    const double y = top + 42 + kRow * static_cast<double>(layer);
    text += words(kLeft - 8, y + 16, "end", "layer " + std::to_string(layer + 1));
    for (std::size_t head = 0; head < table.numbers[layer].size(); ++head) {
      const double x = kLeft + (kSquare + 4) * static_cast<double>(head);
      const double share = std::clamp(table.shares[layer][head], 0.0, 1.0);
      char color[8];  // white to blue
      std::snprintf(color, sizeof color, "#%02x%02x%02x", static_cast<int>(255 - share * (255 - 0x00)),
                    static_cast<int>(255 - share * (255 - 0x5a)),
                    static_cast<int>(255 - share * (255 - 0x9e)));
      text += "<rect x=\"" + checks::svg_number(x) + "\" y=\"" + checks::svg_number(y) + "\" width=\"" +
              checks::svg_number(kSquare) + "\" height=\"" + checks::svg_number(kRow - 4) + "\" fill=\"" +
              color + "\" stroke=\"#cccccc\"/>\n";
      char number[16];
      std::snprintf(number, sizeof number, "%.2f", table.numbers[layer][head]);
      text += words(x + kSquare / 2, y + 15, "middle", number,
                    share > 0.55 ? " fill=\"#ffffff\"" : " fill=\"#222222\"");
    }
  }
  bottom = top + 42 + kRow * static_cast<double>(table.numbers.size()) + 14;
  return text;
}

std::string legend_at(const PanelGrid& grid, double y) {
  std::string text;
  double x = kLeft;
  for (const auto& [color, what] : grid.legend) {
    text += "<rect x=\"" + checks::svg_number(x) + "\" y=\"" + checks::svg_number(y - 8) +
            "\" width=\"14\" height=\"8\" fill=\"" + color + "\"/>\n" + words(x + 19, y, "start", what);
    x += 19 + 6.3 * static_cast<double>(what.size()) + 18;
  }
  return text;
}

// Bands, lines and a frame, with the corner at (x, y).
std::string panel_at(const PanelGrid& grid, const Panel& panel, double x, double y, const std::string& name) {
  const Frame frame(grid, x, y);
  const std::string area = "x=\"" + checks::svg_number(x) + "\" y=\"" + checks::svg_number(y) +
                           "\" width=\"" + checks::svg_number(kWidth) + "\" height=\"" +
                           checks::svg_number(kHeight) + "\"";
  std::string text =
      "<clipPath id=\"" + name + "\"><rect " + area + "/></clipPath>\n<g clip-path=\"url(#" + name + ")\">\n";
  for (const PanelBand& band : panel.bands) text += frame.band(band);
  for (const auto& [at, shown] : grid.y_ticks) {
    text += "<line x1=\"" + checks::svg_number(x) + "\" y1=\"" + checks::svg_number(frame.y(at)) +
            "\" x2=\"" + checks::svg_number(x + kWidth) + "\" y2=\"" + checks::svg_number(frame.y(at)) +
            "\" stroke=\"#000000\" stroke-opacity=\"0.08\"/>\n";
  }
  for (const PanelLine& line : panel.lines) text += frame.line(line);
  return text + "</g>\n<rect " + area + " fill=\"none\" stroke=\"#888888\" stroke-width=\"0.7\"/>\n";
}

std::string grid_at(const PanelGrid& grid, double top, std::size_t& clip, double& bottom) {
  std::string text = words(kLeft, top + 16, "start", grid.title, " font-weight=\"bold\"");
  text +=
      legend_at(grid, top + 34) + names("head", kLeft, kWidth + kGap, top + 54, grid.panels.front().size());
  for (std::size_t layer = 0; layer < grid.panels.size(); ++layer) {
    const double y = top + kHead + (kHeight + kGap) * static_cast<double>(layer);
    text += words(14, y + kHeight / 2, "middle", "layer " + std::to_string(layer + 1),
                  " transform=\"rotate(-90 14 " + checks::svg_number(y + kHeight / 2) + ")\"");
    for (std::size_t head = 0; head < grid.panels[layer].size(); ++head) {
      const double x = kLeft + (kWidth + kGap) * static_cast<double>(head);
      const Frame frame(grid, x, y);
      text += panel_at(grid, grid.panels[layer][head], x, y, "panel" + std::to_string(++clip));
      if (head == 0) {
        for (const auto& [at, shown] : grid.y_ticks) text += words(x - 5, frame.y(at) + 4, "end", shown);
      }
      if (layer + 1 == grid.panels.size()) {
        for (const auto& [at, shown] : grid.x_ticks)
          text += words(frame.x(at), y + kHeight + 14, "middle", shown);
      }
    }
  }
  bottom = top + kHead + (kHeight + kGap) * static_cast<double>(grid.panels.size()) + kFoot;
  return text;
}

}  // namespace

std::string svg_panel(const PanelGrid& grid, const Panel& panel, const std::string& name_as_given) {
  const std::string name = checks::svg_text(name_as_given);
  constexpr double left = 30;
  constexpr double top = 6;
  const Frame frame(grid, left, top);
  std::string text = panel_at(grid, panel, left, top, name);
  for (const auto& [at, shown] : grid.y_ticks) text += words(left - 4, frame.y(at) + 4, "end", shown);
  for (const auto& [at, shown] : grid.x_ticks)
    text += words(frame.x(at), top + kHeight + 13, "middle", shown);
  return "<svg viewBox=\"0 0 " + checks::svg_number(left + kWidth + 10) + " " +
         checks::svg_number(top + kHeight + 18) + "\" role=\"img\" aria-label=\"" + name +
         "\" font-size=\"10\">\n" + text + "</svg>\n";
}

std::string svg_page(const std::string& title, const ShadedTable& table,
                     const std::vector<PanelGrid>& grids) {
  std::string text = words(kLeft, 24, "start", title, " font-size=\"15\"");
  double top = 34;
  text += table_at(table, top, top);
  std::size_t clip = 0;
  for (const PanelGrid& grid : grids) text += grid_at(grid, top, clip, top);
  const double heads = static_cast<double>(table.numbers.front().size());
  const std::string width = checks::svg_number(std::max(760.0, kLeft + (kWidth + kGap) * heads + 14));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" +
         checks::svg_number(top) + "\" viewBox=\"0 0 " + width + " " + checks::svg_number(top) +
         "\" font-family=\"DejaVu Sans, Helvetica, sans-serif\" font-size=\"11\">\n"
         "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" +
         text + "</svg>\n";
}

}  // namespace gpe::probes
