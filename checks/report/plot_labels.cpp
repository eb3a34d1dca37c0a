#include "checks/report/plot_labels.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "checks/report/svg_text.h"

namespace gpe::checks {

namespace {

constexpr double kLine = 14;   // between lines of text
constexpr double kLetter = 7;  // more than the width of most
constexpr double kGap = 8;     // from the mark

}  // namespace

void trace_line(std::vector<Pixel>& ink, const Pixel& from, const Pixel& to) {
  constexpr double kStep = 3;
  const int steps = 1 + static_cast<int>(std::hypot(to.x - from.x, to.y - from.y) / kStep);
  for (int i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    ink.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)});
  }
}

std::string placed_labels(std::vector<PlotLabel> labels, const std::vector<Pixel>& ink,
                          const PixelBox& room) {
  std::ranges::stable_sort(labels, {}, &PlotLabel::y);
  std::string text;
  std::vector<PixelBox> done;
  for (const PlotLabel& label : labels) {
    const double width = kLetter * static_cast<double>(label.text.size());
    std::optional<PixelBox> best;
    double least = 0;
    for (const double down : {0.0, -kLine, kLine, -2 * kLine, 2 * kLine}) {
      for (const double left : {label.x + kGap, label.x - kGap - width}) {
        const double middle = label.y + down;
        const PixelBox box{left, middle - kLine / 2, left + width, middle + kLine / 2};
        double cost = std::abs(down) / kLine + (left < label.x ? 1.5 : 0);
        if (box.left < room.left || box.right > room.right || box.top < room.top || box.bottom > room.bottom)
          cost += 100;
        for (const PixelBox& other : done) cost += box.overlaps(other) ? 1000 : 0;
        cost += static_cast<double>(
            std::ranges::count_if(ink, [&](const Pixel& p) { return box.contains(p.x, p.y); }));
        if (!best || cost < least) {
          best = box;
          least = cost;
        }
      }
    }
    done.push_back(*best);
    const bool before = best->left < label.x;
    text += svg_text_at(
        before ? label.x - kGap : best->left, best->top + kLine / 2 + 4, before ? "end" : "start", label.text,
        " fill=\"" + label.color + "\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"");
  }
  return text;
}

}  // namespace gpe::checks
