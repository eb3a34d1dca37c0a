#include "checks/report/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "checks/report/plot_labels.h"
#include "checks/report/svg_text.h"

namespace gpe::checks {

namespace {

// Okabe and Ito's colours, told apart by colour-blind readers too, without yellow.
constexpr std::array<const char*, 7> kColors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#56b4e9", "#e69f00", "#000000"};
constexpr double kLeft = 64;
constexpr double kRight = 132;  // room for labels
constexpr double kTop = 16;
constexpr double kBottom = 52;
constexpr double kMark = 3.6;

struct Axis {
  double low;
  double high;
  bool log;
  double begin;  // pixels
  double end;
  double at(double value) const {
    const double share = log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return begin + share * (end - begin);
  }
};

bool drawable(const PlotPoint& p, bool x_log) {
  return std::isfinite(p.x) && std::isfinite(p.y) && (!x_log || p.x > 0);
}

// The range of the values with a margin; on a logarithmic axis by a factor.
Axis axis_over(std::vector<double> values, bool log, double begin, double end) {
  if (values.empty()) values = {log ? 1.0 : 0.0, log ? 10.0 : 1.0};
  const auto [least, most] = std::ranges::minmax(values);
  if (log) {
    const double margin = std::max(std::pow(most / least, 0.03), 1.05);
    return {least / margin, most * margin, true, begin, end};
  }
  const double margin = most > least ? 0.05 * (most - least) : std::max(std::abs(most), 1.0) / 2;
  const double low = least >= 0 ? std::max(0.0, least - margin) : least - margin;
  return {low, most + margin, false, begin, end};
}

std::string tick_text(double value, bool log) {
  char text[32];
  if (log && (value >= 1e6 || value < 1e-4)) {
    std::snprintf(text, sizeof text, "1e%d", static_cast<int>(std::lround(std::log10(value))));
  } else {
    std::snprintf(text, sizeof text, "%g", value == 0 ? 0 : value);
  }
  return text;
}

std::string line_between(double x1, double y1, double x2, double y2, const std::string& color) {
  return "<line x1=\"" + svg_number(x1) + "\" y1=\"" + svg_number(y1) + "\" x2=\"" + svg_number(x2) +
         "\" y2=\"" + svg_number(y2) + "\" stroke=\"" + color + "\"/>\n";
}

std::string frame(const Plot& plot, const Axis& x, const Axis& y, double height) {
  std::string text;
  for (const double tick : tick_places(x.low, x.high, x.log)) {
    text += line_between(x.at(tick), y.begin, x.at(tick), y.end, "#e4e4e4");
    text += svg_text_at(x.at(tick), y.begin + 18, "middle", tick_text(tick, x.log));
  }
  for (const double tick : tick_places(y.low, y.high, false)) {
    text += line_between(x.begin, y.at(tick), x.end, y.at(tick), "#e4e4e4");
    text += svg_text_at(x.begin - 8, y.at(tick) + 4, "end", tick_text(tick, false));
  }
  text += line_between(x.begin, y.begin, x.end, y.begin, "#333333");
  text += line_between(x.begin, y.begin, x.begin, y.end, "#333333");
  text += svg_text_at((x.begin + x.end) / 2, height - 10, "middle", plot.x_label);
  const std::string middle = svg_number((y.begin + y.end) / 2);
  text += svg_text_at(18, (y.begin + y.end) / 2, "middle", plot.y_label,
                      " transform=\"rotate(-90 18 " + middle + ")\"");
  return text;
}

// Circles, squares, diamonds and triangles by turns: shape and colour both tell series apart.
std::string mark(double x, double y, std::size_t shape, const std::string& color, bool filled) {
  const std::string style =
      " fill=\"" + (filled ? color : "#ffffff") + "\" stroke=\"" + color + "\" stroke-width=\"1.2\"/>\n";
  const auto at = [&](double dx, double dy) {
    return svg_number(x + dx * kMark) + "," + svg_number(y + dy * kMark);
  };
  switch (shape % 4) {
    case 0:
      return "<circle cx=\"" + svg_number(x) + "\" cy=\"" + svg_number(y) + "\" r=\"" + svg_number(kMark) +
             "\"" + style;
    case 1:
      return "<polygon points=\"" + at(-1, -1) + " " + at(1, -1) + " " + at(1, 1) + " " + at(-1, 1) + "\"" +
             style;
    case 2:
      return "<polygon points=\"" + at(0, -1.3) + " " + at(1.3, 0) + " " + at(0, 1.3) + " " + at(-1.3, 0) +
             "\"" + style;
    default:
      return "<polygon points=\"" + at(0, -1.2) + " " + at(1.2, 1) + " " + at(-1.2, 1) + "\"" + style;
  }
}

}  // namespace

std::vector<double> tick_places(double low, double high, bool log) {
  constexpr int kMost = 8;
  std::vector<double> result;
  if (log) {
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    const int step = std::max(1, (last - first + kMost) / kMost);
    for (int k = first; k <= last; k += step) result.push_back(std::pow(10.0, k));
    if (result.size() >= 2) return result;
    result.clear();
  }
  const double raw = (high - low) / kMost;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) {
      step = factor * power;
      break;
    }
  }
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
    if (!log || k > 0) result.push_back(k * step);
  }
  return result;
}

std::string svg(const Plot& plot, int width, int height) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& p : series.points) {
      if (!drawable(p, plot.x_log)) continue;
      xs.push_back(p.x);
      ys.push_back(p.y);
    }
  }
  const Axis x = axis_over(xs, plot.x_log, kLeft, width - kRight);
  const Axis y = axis_over(ys, false, height - kBottom, kTop);
  const std::string size = std::to_string(width) + "\" height=\"" + std::to_string(height);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " +
                     std::to_string(width) + " " + std::to_string(height) +
                     "\" font-family=\"DejaVu Sans, Helvetica, sans-serif\" font-size=\"12\">\n"
                     "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  text += frame(plot, x, y, height);
  std::vector<PlotLabel> labels;
  std::vector<Pixel> ink;
  std::size_t index = 0;
  for (const PlotSeries& series : plot.series) {
    const std::string color = series.reference ? "#777777" : kColors[index % kColors.size()];
    std::string path;
    std::string marks;
    std::optional<PlotPoint> last;
    std::optional<Pixel> before;
    for (const PlotPoint& p : series.points) {
      if (!drawable(p, plot.x_log)) continue;
      path += (path.empty() ? "M" : " L") + svg_number(x.at(p.x)) + "," + svg_number(y.at(p.y));
      const Pixel here{x.at(p.x), y.at(p.y)};
      trace_line(ink, series.line && before ? *before : here, here);
      before = here;
      if (series.marks) marks += mark(x.at(p.x), y.at(p.y), index, color, p.filled);
      if (!last || p.x >= last->x) last = p;
    }
    if (!series.reference) ++index;
    if (!last) continue;
    if (series.line)
      text += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + color + "\" stroke-width=\"1.4\"" +
              (series.reference ? " stroke-dasharray=\"5 3\"" : "") + "/>\n";
    text += marks;
    labels.push_back({x.at(last->x), y.at(last->y), series.label, color});
  }
  const PixelBox room{x.begin, y.end, static_cast<double>(width), y.begin};
  return text + placed_labels(std::move(labels), ink, room) + "</svg>\n";
}

}  // namespace gpe::checks
