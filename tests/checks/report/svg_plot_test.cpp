// Pictures: every mark where its number says, inside the frame; ticks at round numbers.
#include "checks/report/svg_plot.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <regex>

#include "checks/frontier/frontier_plot.h"

namespace {

using gpe::checks::Plot;
using gpe::checks::PlotSeries;
using gpe::checks::svg;
using gpe::checks::tick_places;

// Centres of the circles, in pixels.
std::vector<std::pair<double, double>> circles(const std::string& text) {
  std::vector<std::pair<double, double>> result;
  const std::regex circle("<circle cx=\"([-0-9.]+)\" cy=\"([-0-9.]+)\"");
  for (std::sregex_iterator i(text.begin(), text.end(), circle), end; i != end; ++i)
    result.emplace_back(std::stod((*i)[1]), std::stod((*i)[2]));
  return result;
}

rc::Gen<double> size() {
  return rc::gen::map(rc::gen::inRange(-3000, 6000), [](int e) { return std::pow(10, e / 1000.0); });
}

}  // namespace

RC_GTEST_PROP(SvgPlot, puts_every_mark_inside_the_frame_in_its_order, (bool x_log)) {
  const int count = *rc::gen::inRange(1, 20);
  Plot plot{"x", "y", x_log, {{"one", {}}}};
  for (int i = 0; i < count; ++i) plot.series[0].points.push_back({*size(), *size()});
  const auto marks = circles(svg(plot, 700, 400));
  RC_ASSERT(marks.size() == plot.series[0].points.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    RC_ASSERT(marks[i].first >= 64 && marks[i].first <= 700 - 132);
    RC_ASSERT(marks[i].second >= 16 && marks[i].second <= 400 - 52);
    for (std::size_t j = 0; j < marks.size(); ++j) {
      const auto& a = plot.series[0].points[i];
      const auto& b = plot.series[0].points[j];
      if (a.x <= b.x) RC_ASSERT(marks[i].first <= marks[j].first);
      if (a.y <= b.y) RC_ASSERT(marks[i].second >= marks[j].second);
    }
  }
}

TEST(SvgPlot, leaves_out_what_has_no_place) {
  const double none = std::nan("");
  const Plot plot{"x", "y", true, {{"one", {{0, 1}, {1, none}, {HUGE_VAL, 2}, {3, 4}, {5, 6}}}}};
  EXPECT_EQ(circles(svg(plot)).size(), 2U);
  EXPECT_TRUE(circles(svg({"x", "y", true, {}})).empty());
  EXPECT_EQ(svg(plot), svg(plot));
}

// "one" ends in the middle of "two", a level line: beside its last mark, at its height, the line would pass
// under the label.
TEST(SvgPlot, labels_stand_where_no_curve_passes) {
  const auto place = [](const std::string& text, const std::string& label) {
    const std::regex written("<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" text-anchor=\"[a-z]+\"[^>]*>" + label +
                             "<");
    std::smatch found;
    EXPECT_TRUE(std::regex_search(text, found, written)) << label;
    return std::stod(found[2]);
  };
  const PlotSeries one{"one", {{1, 1}, {5, 5}}};
  const PlotSeries two{"two", {{1, 5}, {9, 5}}};
  const std::string alone = svg({"x", "y", false, {one}});
  const std::string both = svg({"x", "y", false, {one, two}});
  EXPECT_NEAR(place(alone, "one"), circles(alone).back().second + 4, 0.2);
  EXPECT_GE(std::abs(place(both, "one") - 4 - circles(both).back().second), 7);
  EXPECT_NEAR(place(both, "two") - 4, circles(both).back().second, 0.2);
}

TEST(SvgPlot, writes_texts_so_that_they_are_read_as_texts) {
  const std::string text = svg({"a < b", "c & d", false, {{"<script>", {{1, 1}}}}});
  EXPECT_NE(text.find("a &lt; b"), std::string::npos);
  EXPECT_NE(text.find("c &amp; d"), std::string::npos);
  EXPECT_EQ(text.find("<script"), std::string::npos);
}

RC_GTEST_PROP(SvgPlot, has_two_to_nine_ticks_at_round_numbers, (bool log)) {
  const double low = *size();
  const double high = low * (1 + *size());
  const auto ticks = tick_places(low, high, log);
  RC_ASSERT(ticks.size() <= 9U);
  for (const double tick : ticks) {
    RC_ASSERT(tick >= low * (1 - 1e-6) && tick <= high * (1 + 1e-6));
  }
  if (high > 1.6 * low) RC_ASSERT(ticks.size() >= 2U);
  RC_ASSERT(std::is_sorted(ticks.begin(), ticks.end()));
}

TEST(FrontierPlot, shows_finite_points_and_the_least_entropy_for_a_range) {
  using namespace gpe::checks;
  FrontierReport report;
  for (int i = 0; i < 4; ++i) {
    FrontierPoint point;
    point.encoding = "one";
    point.numbers.range = BigCount::of(10 * i);
    point.numbers.sums.entropy = {i == 3 ? Finite::no : Finite::yes, Ball(i + 1), ""};
    point.efficient = i == 0;
    report.points.push_back(point);
  }
  const Plot plot = frontier_plot(report);
  ASSERT_EQ(plot.series.size(), 2U);
  EXPECT_TRUE(plot.series[0].reference);
  EXPECT_EQ(plot.series[0].points.back().x, 21);
  ASSERT_EQ(plot.series[1].points.size(), 3U);
  EXPECT_EQ(plot.series[1].points[2].x, 21);  // N = 20 is 21 tokens
  EXPECT_TRUE(plot.series[1].points[0].filled);
  EXPECT_FALSE(plot.series[1].points[1].filled);
  report.gain = Gain::window;
  EXPECT_TRUE(frontier_plot(report).series.empty());
}
