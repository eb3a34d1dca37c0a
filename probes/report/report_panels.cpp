#include "probes/report/report_panels.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "probes/report/read_report.h"

namespace gpe::probes {

namespace {

constexpr double kMostScore = 1e6;  // no scale reaches farther
constexpr double kDepth = 20;       // nats below the highest score that are shown

double doubled(double tokens) { return std::log2(tokens); }

std::string short_count(std::int64_t value) {
  return value >= 1024 && value % 1024 == 0 ? std::to_string(value / 1024) + "k" : std::to_string(value);
}

std::vector<std::vector<Panel>> by_head(const Json& report, const std::function<Panel(const Json&)>& draw) {
  std::vector<std::vector<Panel>> result;
  for (const Json& head : report.at("heads")) {
    if (head.at("layer").get<std::size_t>() > result.size()) result.emplace_back();
    result.back().push_back(draw(head));
  }
  return result;
}

PanelBand band_of(const Json& head, const char* name, const std::string& color) {
  PanelBand band{{}, {}, color};
  for (const Json& at : head.at("lengths")) {
    if (!at.contains("predictions")) continue;
    const Json& says = at.at("predictions").at(name);
    const double tokens = at.at("length").get<double>();
    const double lower = says.at("lower").is_number() ? number(says.at("lower")) : 0;
    const double upper = says.at("upper").is_number() ? number(says.at("upper")) : std::log(tokens);
    band.lower.push_back({doubled(tokens), lower});
    band.upper.push_back({doubled(tokens), upper});
  }
  return band;
}

Panel entropy_panel(const Json& head, const PanelColors& colors) {
  Panel panel;
  panel.bands = {band_of(head, "bound_band", colors.bound), band_of(head, "ranges_band", colors.ranges)};
  PanelLine rows{{}, colors.one_row, PanelLine::Style::marks};
  PanelLine half{{}, colors.measured, PanelLine::Style::line};
  for (const Json& at : head.at("lengths")) {
    const double x = doubled(at.at("length").get<double>());
    rows.points.push_back({x, number(at.at("last_row").at("entropy").at("mean"))});
    half.points.push_back({x, number(at.at("second_half").at("entropy").at("mean"))});
  }
  PanelLine predicted{{}, colors.predicted, PanelLine::Style::dashed};
  for (const Json& at : head.value("extrapolation", Json::array())) {
    predicted.points.push_back({doubled(at.at("length").get<double>()),
                                number(at.at("predictors").at("continued").at("from_fit").at("entropy"))});
  }
  panel.lines = {half, predicted, rows};
  return panel;
}

// At the middle of each bucket on a logarithmic axis of n + 1.
double middle(const Json& bucket) {
  const double from = bucket.at("from").get<double>();
  const double to =
      bucket.at("to").is_number() ? bucket.at("to").get<double>() : from;  // the last one may be open
  return (doubled(from + 1) + doubled(to + 1)) / 2;
}

Panel score_panel(const Json& head, const PanelColors& colors) {
  Panel panel;
  PanelBand spread{{}, {}, colors.ranges};
  PanelLine mean{{}, colors.measured, PanelLine::Style::line};
  PanelLine bias{{}, colors.predicted, PanelLine::Style::dashed};
  for (const Json& bucket : head.at("distances")) {
    const double x = middle(bucket);
    const double score = number(bucket.at("score").at("mean"));
    const double deviation = std::sqrt(number(bucket.at("score").at("variance")));
    spread.lower.push_back({x, score - deviation});
    spread.upper.push_back({x, score + deviation});
    mean.points.push_back({x, score});
    bias.points.push_back({x, number(bucket.value("bias", Json()))});
  }
  panel.bands = {spread};
  panel.lines = {bias, mean};
  return panel;
}

}  // namespace

PanelGrid entropy_panels(const Json& report, const PanelColors& colors) {
  const auto lengths = report.at("lengths").get<std::vector<std::int64_t>>();
  PanelGrid grid;
  grid.title = "entropy by length T, nats";
  grid.legend = {{colors.measured, "measured, mean of rows T/2 to T - 1"}, {colors.one_row, "row T - 1"}};
  if (report.contains("fit")) {
    grid.legend.insert(
        grid.legend.begin() + 1,
        {colors.predicted, "read on from " + report.at("fit").at("tokens").dump() + " tokens"});
    grid.legend.push_back({colors.ranges, "band of its ranges"});
    grid.legend.push_back({colors.bound, "band of B"});
  }
  grid.x_low = doubled(static_cast<double>(lengths.front())) - 0.3;
  grid.x_high = doubled(static_cast<double>(lengths.back())) + 0.3;
  grid.y_high = std::log(static_cast<double>(lengths.back())) + 0.3;
  const std::size_t step = std::max<std::size_t>(1, (lengths.size() + 3) / 4);
  for (std::size_t i = 0; i < lengths.size(); i += step)
    grid.x_ticks.emplace_back(doubled(static_cast<double>(lengths[i])), short_count(lengths[i]));
  for (int nats = 0; nats <= grid.y_high; nats += 3) grid.y_ticks.emplace_back(nats, std::to_string(nats));
  grid.panels = by_head(report, [&](const Json& head) { return entropy_panel(head, colors); });
  return grid;
}

PanelGrid score_panels(const Json& report, const PanelColors& colors) {
  PanelGrid grid;
  grid.title = "score A(n) by distance n";
  grid.legend = {{colors.measured, "measured, mean over all pairs"},
                 {colors.ranges, "one standard deviation"},
                 {colors.predicted, "the bias b(n)"}};
  grid.panels = by_head(report, [&](const Json& head) { return score_panel(head, colors); });
  double top = -std::numeric_limits<double>::infinity();
  double low = std::numeric_limits<double>::infinity();
  for (const auto& layer : grid.panels) {
    for (const Panel& panel : layer) {
      for (const PanelPoint& p : panel.bands.front().upper) {
        if (std::abs(p.y) <= kMostScore) top = std::max(top, p.y);
      }
      for (const PanelPoint& p : panel.bands.front().lower) {
        if (std::abs(p.y) <= kMostScore) low = std::min(low, p.y);
      }
    }
  }
  if (!std::isfinite(top)) top = 0;
  low = std::min(low, top);
  grid.y_high = std::ceil(top + 0.5);
  grid.y_low = std::floor(std::max(low - 0.5, grid.y_high - kDepth));
  const auto longest = report.at("lengths").back().get<std::int64_t>();
  grid.x_low = -0.4;
  grid.x_high = doubled(static_cast<double>(longest)) + 0.3;
  for (std::int64_t n = 1; n <= longest; n *= 16)
    grid.x_ticks.emplace_back(doubled(static_cast<double>(n)), short_count(n == 1 ? 0 : n));
  const int step = grid.y_high - grid.y_low > 12 ? 5 : 2;
  constexpr double most = 1e9;  // of what ticks are put to
  if (!(std::abs(grid.y_high) < most && std::abs(grid.y_low) < most)) return grid;
  for (int y = static_cast<int>(std::floor(grid.y_low / step) + 1) * step; y < grid.y_high; y += step)
    grid.y_ticks.emplace_back(y, std::to_string(y));
  return grid;
}

}  // namespace gpe::probes
