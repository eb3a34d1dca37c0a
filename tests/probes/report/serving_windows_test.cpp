// Windows for serving, from reports written by hand.
#include "probes/report/serving_windows.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace gpe::probes {
namespace serving_windows_test {

Json rows(double entropy, double weight = 0.3, double content = 2) {
  return {{"entropy", {{"mean", entropy}}},
          {"mean_distance", {{"mean", 5.0}}},
          {"largest_weight", {{"mean", weight}}},
          {"largest_content", {{"max", content}}},
          {"sink_weight", {{"mean", 0.0}}}};
}

Json at(std::int64_t length, const Json& second_half, double slope = 0) {
  return {{"length", length},
          {"last_row", second_half},
          {"second_half", second_half},
          {"slope", slope},
          {"content_bound", 2.0},
          {"tested", {{"reach", 7}}},
          {"predictions",
           {{"zero", {{"entropy", 2.0}}},
            {"bound_band", {{"lower", 0.0}, {"upper", 3.0}}},
            {"ranges_band", {{"lower", 1.0}, {"upper", 2.5}}}}}};
}

Json head(int number, const Json& window, std::int64_t seen) {
  return {{"layer", 1},
          {"head", number},
          {"lengths", {at(32, rows(2)), at(64, rows(2))}},
          {"extrapolation", Json::array()},
          {"window", {{"W", window}, {"content_bound", 2.5}, {"largest_mass_beyond", nullptr}}},
          {"statistical_window", {{"W", seen}, {"rows", 3}, {"confidence", 0.95}, {"coverage", 0.368}}},
          {"verdicts",
           {{{"property", "convergent-normalization"},
             {"reading", "every-content"},
             {"verdict", window.is_null() ? "fails" : "holds"},
             {"reason", "a < b & c"}}}},
          {"distances",
           {{{"from", 0}, {"to", 0}, {"score", {{"mean", 0.5}, {"variance", 1.0}}}, {"bias", 0.0}},
            {{"from", 1}, {"to", 63}, {"score", {{"mean", -1.5}, {"variance", 1.0}}}, {"bias", -2.0}}}}};
}

Json report() {
  Json result = {{"schema", 1},
                 {"generator", {{"program", "probe-attention"}, {"version", "1"}}},
                 {"checkpoint", "runs/<mine>"},
                 {"encoding", "alibi"},
                 {"context", 32},
                 {"dtype", "float32"},
                 {"layers", 1},
                 {"heads_per_layer", 3},
                 {"head_dim", 8}};
  result["tokens"] = {{"file", "val.bin"}};
  result["lengths"] = {32, 64};
  result["content_bound"] = "weights";
  result["epsilon"] = "1/1000";
  result["weight"] = "1/2";
  result["fit"] = {{"tokens", 32}};
  result["heads"] = {head(1, 15, 3), head(2, nullptr, 31), head(3, 200, 63)};
  result["contradictions"] = Json::array();
  return result;
}

TEST(ServingWindows, proved_ones_come_first_then_seen_ones_then_every_key) {
  const Json windows = serving_windows(report());
  ASSERT_EQ(windows["heads"].size(), 3U);
  EXPECT_EQ(windows["heads"][0]["kind"], "certified");
  EXPECT_EQ(windows["heads"][0]["keys"], 16);
  EXPECT_EQ(windows["heads"][1]["kind"], "statistical");
  EXPECT_EQ(windows["heads"][1]["keys"], 32);
  EXPECT_TRUE(windows["heads"][1]["proved"].is_null());
  EXPECT_EQ(windows["heads"][2]["kind"], "full");
  EXPECT_EQ(windows["heads"][2]["keys"], 64);
  EXPECT_EQ(windows["heads"][2]["proved"]["keys"], 201);
  EXPECT_EQ(windows["proved_windows_hold_for"], "every input");
  // Keys and values of 8 numbers of 4 bytes per token.
  EXPECT_DOUBLE_EQ(windows["heads"][0]["MiB_saved"].get<double>(), 48 * 2 * 8 * 4 / 1048576.0);
  EXPECT_DOUBLE_EQ(windows["total"]["MiB"].get<double>(), (16 + 32 + 64) * 2 * 8 * 4 / 1048576.0);
  EXPECT_DOUBLE_EQ(windows["total"]["MiB_saved"].get<double>(), (48 + 32) * 2 * 8 * 4 / 1048576.0);
}

TEST(ServingWindows, what_a_proved_window_rests_on_is_named) {
  Json measured = report();
  measured["content_bound"] = "measured";
  EXPECT_EQ(serving_windows(measured)["heads"][0]["kind"], "a-posteriori");
  EXPECT_EQ(serving_windows(measured)["proved_windows_hold_for"], "the rows read");
  Json given = report();
  given["content_bound"] = "5";
  given["dtype"] = "bfloat16";
  EXPECT_EQ(serving_windows(given)["heads"][0]["kind"], "assumed");
  EXPECT_EQ(serving_windows(given)["bytes_per_number"], 2);
}

// Its B is 2.5: what is proved for smaller contents is not a ground where larger ones were seen.
TEST(ServingWindows, rest_on_a_bound_only_where_it_bounds_the_contents_seen) {
  for (const char* bound : {"measured", "2.5", "weights"}) {
    Json low = report();
    low["content_bound"] = bound;
    low["heads"][0]["lengths"][1]["second_half"]["largest_content"]["max"] = 2.6;
    const Json windows = serving_windows(low);
    EXPECT_EQ(windows["heads"][0]["kind"], "statistical") << bound;
    EXPECT_EQ(windows["heads"][0]["keys"], 4) << bound;
    EXPECT_EQ(windows["heads"][0]["proved"]["bounds_content_seen"], false) << bound;
    EXPECT_EQ(windows["heads"][0]["proved"]["content_seen"], 2.6) << bound;
    // what a report says of all rows, of |c|/w, counts before the |c| that it shows
    low["heads"][0]["window"]["content_seen"] = 2.4;
    EXPECT_NE(serving_windows(low)["heads"][0]["kind"], "statistical") << bound;
  }
}

}  // namespace serving_windows_test
}  // namespace gpe::probes
