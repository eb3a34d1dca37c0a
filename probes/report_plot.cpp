#include "probes/report_plot.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "probes/svg_panels.h"

namespace gpe::probes {

namespace {

// Okabe and Ito's colours, told apart by colour-blind readers too; bands in pale ones.
constexpr const char* kMeasured = "#0072b2";
constexpr const char* kPredicted = "#d55e00";
constexpr const char* kOneRow = "#000000";
constexpr const char* kRanges = "#bcdcf0";
constexpr const char* kBound = "#eeeeee";
constexpr double kDepth = 20;  // nats below the highest score that are shown

double number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

double doubled(double tokens) { return std::log2(tokens); }

std::string short_count(std::int64_t value) {
  return value >= 1024 && value % 1024 == 0 ? std::to_string(value / 1024) + "k" : std::to_string(value);
}

std::vector<std::vector<Panel>> by_head(const Json& report, const std::function<Panel(const Json&)>& draw) {
  std::vector<std::vector<Panel>> result;
  for (const Json& head : report["heads"]) {
    if (head["layer"].get<std::size_t>() > result.size()) result.emplace_back();
    result.back().push_back(draw(head));
  }
  return result;
}

PanelBand band_of(const Json& head, const char* name, const char* color) {
  PanelBand band{{}, {}, color};
  for (const Json& at : head["lengths"]) {
    const Json& says = at["predictions"][name];
    const double tokens = at["length"].get<double>();
    const double lower = says["lower"].is_number() ? number(says["lower"]) : 0;
    const double upper = says["upper"].is_number() ? number(says["upper"]) : std::log(tokens);
    band.lower.push_back({doubled(tokens), lower});
    band.upper.push_back({doubled(tokens), upper});
  }
  return band;
}

Panel entropy_panel(const Json& head) {
  Panel panel;
  panel.bands = {band_of(head, "bound_band", kBound), band_of(head, "ranges_band", kRanges)};
  PanelLine rows{{}, kOneRow, PanelLine::Style::marks};
  PanelLine half{{}, kMeasured, PanelLine::Style::line};
  for (const Json& at : head["lengths"]) {
    const double x = doubled(at["length"].get<double>());
    rows.points.push_back({x, number(at["last_row"]["entropy"]["mean"])});
    half.points.push_back({x, number(at["second_half"]["entropy"]["mean"])});
  }
  PanelLine predicted{{}, kPredicted, PanelLine::Style::dashed};
  for (const Json& at : head["extrapolation"]) {
    predicted.points.push_back(
        {doubled(at["length"].get<double>()), number(at["predictors"]["continued"]["from_fit"]["entropy"])});
  }
  panel.lines = {half, predicted, rows};
  return panel;
}

PanelGrid entropies(const Json& report) {
  const auto lengths = report["lengths"].get<std::vector<std::int64_t>>();
  PanelGrid grid;
  grid.title = "entropy by length T, nats";
  grid.legend = {{kMeasured, "measured, mean of rows T/2 to T - 1"},
                 {kPredicted, "read on from " + report["fit"]["tokens"].dump() + " tokens"},
                 {kOneRow, "row T - 1"},
                 {kRanges, "band of its ranges"},
                 {kBound, "band of B"}};
  grid.x_low = doubled(static_cast<double>(lengths.front())) - 0.3;
  grid.x_high = doubled(static_cast<double>(lengths.back())) + 0.3;
  grid.y_high = std::log(static_cast<double>(lengths.back())) + 0.3;
  const std::size_t step = std::max<std::size_t>(1, (lengths.size() + 3) / 4);
  for (std::size_t i = 0; i < lengths.size(); i += step)
    grid.x_ticks.emplace_back(doubled(static_cast<double>(lengths[i])), short_count(lengths[i]));
  for (int nats = 0; nats <= grid.y_high; nats += 3) grid.y_ticks.emplace_back(nats, std::to_string(nats));
  grid.panels = by_head(report, entropy_panel);
  return grid;
}

// At the middle of each bucket on a logarithmic axis of n + 1.
double middle(const Json& bucket) {
  return (doubled(bucket["from"].get<double>() + 1) + doubled(bucket["to"].get<double>() + 1)) / 2;
}

Panel score_panel(const Json& head) {
  Panel panel;
  PanelBand spread{{}, {}, kRanges};
  PanelLine mean{{}, kMeasured, PanelLine::Style::line};
  PanelLine bias{{}, kPredicted, PanelLine::Style::dashed};
  for (const Json& bucket : head["distances"]) {
    const double x = middle(bucket);
    const double score = number(bucket["score"]["mean"]);
    const double deviation = std::sqrt(number(bucket["score"]["variance"]));
    spread.lower.push_back({x, score - deviation});
    spread.upper.push_back({x, score + deviation});
    mean.points.push_back({x, score});
    bias.points.push_back({x, number(bucket["bias"])});
  }
  panel.bands = {spread};
  panel.lines = {bias, mean};
  return panel;
}

PanelGrid scores(const Json& report) {
  PanelGrid grid;
  grid.title = "score A(n) by distance n";
  grid.legend = {{kMeasured, "measured, mean over all pairs"},
                 {kRanges, "one standard deviation"},
                 {kPredicted, "the bias b(n)"}};
  grid.panels = by_head(report, score_panel);
  double top = -std::numeric_limits<double>::infinity();
  double low = std::numeric_limits<double>::infinity();
  for (const auto& layer : grid.panels) {
    for (const Panel& panel : layer) {
      for (const PanelPoint& p : panel.bands.front().upper) top = std::max(top, p.y);
      for (const PanelPoint& p : panel.bands.front().lower) low = std::min(low, p.y);
    }
  }
  grid.y_high = std::ceil(top + 0.5);
  grid.y_low = std::floor(std::max(low - 0.5, grid.y_high - kDepth));
  const auto longest = report["lengths"].back().get<std::int64_t>();
  grid.x_low = -0.4;
  grid.x_high = doubled(static_cast<double>(longest)) + 0.3;
  for (std::int64_t n = 1; n <= longest; n *= 16)
    grid.x_ticks.emplace_back(doubled(static_cast<double>(n)), short_count(n == 1 ? 0 : n));
  const int step = grid.y_high - grid.y_low > 12 ? 5 : 2;
  for (int y = static_cast<int>(std::floor(grid.y_low / step) + 1) * step; y < grid.y_high; y += step)
    grid.y_ticks.emplace_back(y, std::to_string(y));
  return grid;
}

ShadedTable greatest_length(const Json& report) {
  ShadedTable table;
  const Json& length = report["lengths"].back();
  table.title = "entropy at T = " + length.dump() + ", nats; dark: near log T";
  const double most = std::log(length.get<double>());
  for (const Json& head : report["heads"]) {
    if (head["layer"].get<std::size_t>() > table.numbers.size()) {
      table.numbers.emplace_back();
      table.shares.emplace_back();
    }
    const double entropy = number(head["lengths"].back()["second_half"]["entropy"]["mean"]);
    table.numbers.back().push_back(entropy);
    table.shares.back().push_back(entropy / most);
  }
  return table;
}

}  // namespace

std::string report_plot(const Json& report) {
  const std::string title = report["encoding"].get<std::string>() + ", trained at " +
                            report["context"].dump() + " tokens, " + report["windows"].dump() +
                            " windows of " + report["lengths"].back().dump();
  return svg_page(title, greatest_length(report), {entropies(report), scores(report)});
}

}  // namespace gpe::probes
