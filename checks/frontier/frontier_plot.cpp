#include "checks/frontier/frontier_plot.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "checks/frontier/least_entropy.h"

namespace gpe::checks {

using theory::Rational;

namespace {

std::string label_of(Gain gain, const TradeOffOptions& o) {
  switch (gain) {
    case Gain::range:
      return "tokens in the local range, |b| ≤ " + o.threshold.str();
    case Gain::window:
      return "tokens in the window of weight 1 − " + o.epsilon.str();
    case Gain::mean:
      return "mean distance";
    case Gain::beyond:
      return "weight beyond n = " + o.distance.str();
  }
  return "";
}

// N distances are N + 1 tokens: 0 has a place on a logarithmic axis.
double shown(const Ball& gained, Gain gain) {
  const bool count = gain == Gain::range || gain == Gain::window;
  return gained.approximate() + (count ? 1 : 0);
}

// How many parameters take more than one value in an encoding's points: a curve for one, a cloud for several.
std::size_t parameters_varied(const FrontierReport& report, const std::string& encoding) {
  std::map<std::string, std::set<std::string>> values;
  for (const FrontierPoint& point : report.points) {
    if (point.encoding != encoding || point.head > 1) continue;
    for (const auto& [name, value] : point.parameters) values[name].insert(value);
  }
  return static_cast<std::size_t>(
      std::ranges::count_if(values, [](const auto& one) { return one.second.size() > 1; }));
}

PlotSeries least_curve(const Rational& threshold, double most) {
  constexpr int kPoints = 64;
  PlotSeries result{"least possible", {}, true, false, true};
  double last = 0;
  for (int i = 0; i <= kPoints; ++i) {
    const double tokens = std::round(std::pow(most, static_cast<double>(i) / kPoints));
    if (tokens <= last) continue;
    last = tokens;
    const Rational range = Rational(static_cast<std::int64_t>(tokens) - 1);
    result.points.push_back({tokens, least_entropy(threshold, range, 64).value.approximate()});
  }
  return result;
}

}  // namespace

Plot frontier_plot(const FrontierReport& report) {
  Plot plot;
  plot.x_label = label_of(report.gain, report.options);
  plot.y_label = "entropy H (nats)";
  plot.x_log = report.gain != Gain::beyond;
  double most = 1;
  for (const FrontierPoint& point : report.points) {
    const EnclosedNumber& entropy = point.numbers.sums.entropy;
    const std::optional<Ball> gained = gain_of(point.numbers, report.gain);
    if (!gained || entropy.finite != Finite::yes || !entropy.value.is_finite()) continue;
    const std::string name = point.encoding;
    auto series = std::ranges::find(plot.series, name, &PlotSeries::label);
    if (series == plot.series.end()) series = plot.series.insert(series, {name, {}});
    const PlotPoint drawn{shown(*gained, report.gain), entropy.value.approximate(), point.efficient};
    series->points.push_back(drawn);
    if (std::isfinite(drawn.x)) most = std::max(most, drawn.x);
  }
  for (PlotSeries& series : plot.series) series.line = parameters_varied(report, series.label) < 2;
  if (report.gain == Gain::range && most > 1 && most < 1e15)
    plot.series.insert(plot.series.begin(), least_curve(report.options.threshold, most));
  return plot;
}

}  // namespace gpe::checks
