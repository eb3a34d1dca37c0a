// Windows for serving, findings and the page of a report, from reports written by hand.
#include "probes/report/report_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "probes/report/page_findings.h"
#include "probes/report/serving_windows.h"
#include "theory/expression/spec_error.h"

namespace gpe::probes {
namespace {

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

std::vector<std::string> titles(const Json& of) {
  std::vector<std::string> result;
  for (const PageFinding& one : page_findings(of)) result.push_back(one.title);
  return result;
}

const PageFinding* finding(const std::vector<PageFinding>& findings, const std::string& title) {
  const auto found = std::ranges::find(findings, title, &PageFinding::title);
  return found == findings.end() ? nullptr : &*found;
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
  // Keys and values of 8 numbers of 4 bytes a token.
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

// Its B is 2.5: what is proved for smaller contents is no ground where larger ones were seen.
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
    const std::string page = report_page(low, "report");
    EXPECT_NE(page.find("no: |c| beyond B"), std::string::npos);
    EXPECT_NE(page.find("those of 1 of 3 heads are not used: contents beyond their B were seen"),
              std::string::npos);
    // what a report says of all rows, of |c|/w, counts before the |c| that it shows
    low["heads"][0]["window"]["content_seen"] = 2.4;
    EXPECT_NE(serving_windows(low)["heads"][0]["kind"], "statistical") << bound;
  }
}

TEST(PageFindings, a_calm_model_has_no_suspects) {
  Json calm = report();
  for (Json& head : calm["heads"]) {
    head["statistical_window"]["rows"] = 2995;
    head["statistical_window"]["coverage"] = 0.999;
  }
  EXPECT_EQ(titles(calm), (std::vector<std::string>{"Attention stays as it was trained, up to 64 tokens",
                                                    "Keep 58.3 % of the cache at 64 tokens",
                                                    "No window holds at every length"}));
  EXPECT_EQ(page_findings(calm)[1].weight, PageFinding::Weight::good);
}

TEST(PageFindings, a_cache_is_to_be_used_only_where_it_is_proved_or_seen_in_enough_rows) {
  const std::vector<PageFinding> few = page_findings(report());
  EXPECT_EQ(few[1].title, "The 3 rows tested would do with 58.3 % of the cache at 64 tokens");
  EXPECT_EQ(few[1].weight, PageFinding::Weight::look);
  EXPECT_NE(few[1].text.find("36.8 % of all rows at 95 % confidence"), std::string::npos) << few[1].text;
  Json proved = report();
  proved["heads"] = {head(1, 15, 3), head(2, 31, 31)};
  EXPECT_EQ(page_findings(proved)[1].weight, PageFinding::Weight::good);
  for (const char* bound : {"measured", "2.5"}) {
    proved["content_bound"] = bound;
    EXPECT_EQ(page_findings(proved)[1].weight, PageFinding::Weight::look) << bound;
  }
}

// Rows T/2 … T - 1 of even weights have log(T/2 + 1) … log T, whose mean is below 0.95 log T up to T = 463.
TEST(PageFindings, even_weights_are_even_at_every_length) {
  for (const std::int64_t length : {8, 64, 462, 16384}) {
    double even = 0;
    for (std::int64_t row = length / 2; row < length; ++row)
      even += std::log(static_cast<double>(row + 1)) / static_cast<double>(length - length / 2);
    for (const double share : {1.0, 0.96, 0.94}) {
      Json one = report();
      one["lengths"] = {length};
      one["heads"] = {head(1, 15, 3)};
      one["heads"][0]["lengths"] = {at(length, rows(share * even))};
      EXPECT_EQ(finding(page_findings(one), "Nearly even weights") != nullptr, share > 0.95)
          << length << " " << share;
    }
  }
}

TEST(PageFindings, each_rule_finds_its_head) {
  Json wrong = report();
  wrong["heads"][0]["lengths"][1] = at(64, rows(0.01, 0.99));
  wrong["heads"][1]["lengths"][1] = at(64, rows(4.1, 0.1, 80), 0.95);
  wrong["heads"][2]["lengths"][1]["second_half"]["sink_weight"]["mean"] = 0.95;
  wrong["heads"][2]["extrapolation"] = {
      {{"predictors", {{"continued", {{"from_fit", {{"entropy", 1.0}, {"error", -0.7}}}}}}}}};
  wrong["contradictions"] = {{{"layer", 1}, {"head", 3}, {"text", "layer 1, head 3, T = 64: far"}}};
  const std::vector<PageFinding> findings = page_findings(wrong);
  for (const auto& [title, name] : {std::pair{"A theorem is broken", "1.3"},
                                    {"One key has it all", "1.1"},
                                    {"Nearly even weights", "1.2"},
                                    {"Large contents", "1.2"},
                                    {"Entropy grows like log T", "1.2"},
                                    {"The sink has the weight", "1.3"},
                                    {"Not as short windows say", "1.3"}}) {
    const PageFinding* found = finding(findings, title);
    ASSERT_NE(found, nullptr) << title;
    EXPECT_EQ(found->heads, std::vector<std::string>{name}) << title;
  }
  const PageFinding* changed = finding(findings, "Attention changes beyond 32 tokens");
  ASSERT_NE(changed, nullptr);
  EXPECT_EQ(changed->heads, (std::vector<std::string>{"1.1", "1.2"}));
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t result = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + 1)) ++result;
  return result;
}

TEST(ReportPage, needs_nothing_else_and_escapes_names) {
  const std::string page = report_page(report(), "report");
  for (const char* part : {"http:", "https:", "<script", "@import", "src=", "<link"})
    EXPECT_EQ(times(page, part), 0U) << part;
  EXPECT_EQ(times(page, "url("), times(page, "url(#"));
  EXPECT_NE(page.find("&lt;mine&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<mine>"), std::string::npos);
  EXPECT_EQ(times(page, "<svg"), 6U);  // entropies and scores of three heads
  EXPECT_NE(page.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(page, report_page(report(), "report"));
}

TEST(ReportPage, forbids_what_a_page_could_do) {
  EXPECT_NE(report_page(report(), "report").find("Content-Security-Policy\" content=\"default-src 'none'; "),
            std::string::npos);
}

// Every value and key of the report in turn is something else: a page that shows it as words, or a refusal.
TEST(ReportPage, no_value_of_a_report_is_markup_or_a_crash) {
  const Json values = {
      "\"'><script>x</script>", "\n\u001b[2J",         0,       -1, 1e308,         -1e308,
      9223372036854775807,      18446744073709551615U, nullptr, {}, Json::array(), Json::object()};
  const Json good = report().flatten();
  int pages = 0;
  for (const auto& [place, leaf] : good.items()) {
    for (const Json& value : values) {
      Json changed = report();
      changed[Json::json_pointer(place)] = value;
      try {
        const std::string page = report_page(changed, "report");
        EXPECT_EQ(times(page, "<script"), 0U) << place;
        EXPECT_EQ(times(page, "\"'>"), 0U) << place;
        EXPECT_EQ(times(page, "\033"), 0U) << place;
        ++pages;
      } catch (const theory::SpecError&) {  // a refusal
      }
    }
  }
  EXPECT_GT(pages, 100);
}

TEST(ReportPage, takes_the_report_of_the_python_package) {
  Json python = {{"schema", 1},     {"generator", {{"program", "gpe.probe"}, {"version", "1"}}},
                 {"model", "tiny"}, {"model_type", "llama"},
                 {"batch", 2},      {"tokens", 24},
                 {"layers", 1},     {"heads", Json::array()}};
  Json one = head(1, nullptr, 3);
  python["heads"] = {{{"layer", 1},
                      {"head", 1},
                      {"content_bound", 3.5},
                      {"last_row", rows(1)},
                      {"second_half", rows(1)},
                      {"distances", one["distances"]}}};
  python["heads"][0]["distances"][1]["to"] = nullptr;
  const std::string page = report_page(python, "report");
  EXPECT_NE(page.find("Entropy at T = 24"), std::string::npos);
  EXPECT_EQ(times(page, "<svg"), 1U);
}

TEST(ReportPage, refuses_other_objects) {
  const auto message = [](const Json& other) -> std::string {
    try {
      report_page(other, "x.json");
    } catch (const theory::SpecError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(Json::object()),
            "x.json: no object with heads; expected a report of probe-attention or gpe.probe");
  Json newer = report();
  newer["schema"] = 2;
  EXPECT_EQ(message(newer), "x.json: schema is not 1; expected a report of probe-attention or gpe.probe");
  Json bare = report();
  bare["heads"][1].erase("distances");
  EXPECT_NE(message(bare).find("x.json: not a report of probe-attention or gpe.probe: "), std::string::npos);
}

}  // namespace
}  // namespace gpe::probes
