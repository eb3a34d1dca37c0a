#include "checks/report/report_content.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/report/report_cells.h"

namespace gpe::checks {

namespace {

constexpr int kBandDigits = 5;

// "3.5508 to 4.9126: wide"
Cell band_cell(const EntropyBand& band) {
  if (band.lower.finite == Finite::no) return {"infinite", Tone::bad};
  if (band.lower.finite == Finite::unknown && band.upper.finite == Finite::unknown)
    return {"-", Tone::unsure};
  if (band.upper.finite == Finite::yes && !band.lower.is_enclosed() && !band.upper.is_enclosed())
    return {"finite", Tone::mixed};
  const std::string least = band.lower.is_enclosed()
                                ? decimal_ends(band.lower.value.lower(64), kBandDigits).lower
                                : std::string("?");
  if (band.upper.finite == Finite::no) return {least + " to infinity", Tone::bad};
  if (!band.upper.is_enclosed()) return {least + " to ?", Tone::mixed};
  const std::string most = decimal_ends(band.upper.value.upper(64), kBandDigits).upper;
  if (!band.lower.is_enclosed()) return {least + " to " + most, Tone::mixed};
  const double width = band.upper.value.approximate() - band.lower.value.lower(64).approximate();
  return {least + " to " + most + ", " + width_in_words(width)};
}

Cell z_cell(const ContentNumbers& numbers) {
  const auto end = [](const EnclosedNumber& number, bool low) -> std::string {
    if (number.finite == Finite::no) return "infinite";
    if (!number.is_enclosed()) return "?";
    const DecimalEnds ends = decimal_ends(number.value, kBandDigits);
    return low ? ends.lower : ends.upper;
  };
  const std::string low = end(numbers.z_least, true);
  const std::string high = end(numbers.z_most, false);
  if (low == high) return {low, low == "infinite" ? Tone::bad : Tone::plain};
  return {low + " to " + high};
}

Json reach_json(const theory::Rational& weight, const theory::Rational& bound, const Reach& reach) {
  return {{"weight", weight.str()},
          {"content_bound", bound.str()},
          {"n", json_count(reach.n)},
          {"self_reach", json_count(reach.self_reach)}};
}

}  // namespace

bool has_content(const std::vector<EncodingReport>& reports) {
  return std::ranges::any_of(reports, [](const EncodingReport& report) {
    if (report.contents.empty()) return !report.zero_windows.empty();
    return report.law.path || !theory::amplitude(report.closed_law, theory::Expr(1)).is_number(0);
  });
}

std::string width_in_words(double nats) {
  if (nats < 0.05) return "sharp";
  if (nats < 0.5) return "narrow";
  if (nats < 2) return "wide";
  return "uninformative";
}

std::vector<std::vector<Cell>> content_rows(const std::vector<EncodingReport>& reports,
                                            const ReportOptions& options) {
  std::vector<std::vector<Cell>> rows;
  std::vector<Cell> head = {{"every content within the bound", Tone::strong}};
  for (const theory::Rational& bound : options.content_bounds)
    head.push_back({"B = " + bound.str(), Tone::strong});
  rows.push_back(head);
  const auto row = [&](const EncodingReport& report, const std::string& label,
                       const std::vector<ContentNumbers>& numbers, const auto& cell_of) {
    std::vector<Cell> cells = {{reports.size() > 1 ? name_with_head(report) + ": " + label : label}};
    for (const ContentNumbers& one : numbers) cells.push_back(cell_of(one));
    rows.push_back(std::move(cells));
  };
  const std::string over_gates = ", over all gates";
  const auto counts = [&](const EncodingReport& report, const std::vector<ContentNumbers>& numbers,
                          const std::string& where) {
    for (std::size_t i = 0; i < numbers.front().windows.size(); ++i) {
      row(report, "window for " + options.epsilons[i].str() + where, numbers,
          [i](const ContentNumbers& c) { return count_cell(c.windows[i]); });
    }
    for (std::size_t i = 0; i < numbers.front().reach.size(); ++i) {
      const std::string weight = "reach of weight " + options.weights[i].str() + where;
      row(report, weight, numbers, [i](const ContentNumbers& c) { return count_cell(c.reach[i].n); });
      if (numbers.front().over_gates)
        row(report, weight + over_gates, numbers,
            [i](const ContentNumbers& c) { return count_cell(c.over_gates->reach[i]); });
      if (where.empty())
        row(report, "self-" + weight, numbers,
            [i](const ContentNumbers& c) { return count_cell(c.reach[i].self_reach); });
    }
  };
  for (const EncodingReport& report : reports) {
    if (report.contents.empty()) {
      if (report.zero_windows.empty()) continue;
      rows.push_back({{reports.size() > 1 ? name_with_head(report) + ": window for 0" : "window for 0"}});
      for (const BigCount& window : report.zero_windows) rows.back().push_back(count_cell(window));
      continue;
    }
    const bool by_length = report.closed_law.depends_on_length();
    const auto bands = [&](const std::vector<ContentNumbers>& numbers, const std::string& where) {
      row(report, "entropy H" + where, numbers, [](const ContentNumbers& c) { return band_cell(c.band); });
      if (report.law.path)
        row(report, "entropy H" + where + over_gates, numbers,
            [](const ContentNumbers& c) { return band_cell(c.over_gates->band); });
    };
    if (!by_length) {
      row(report, "Z", report.contents, [](const ContentNumbers& c) { return z_cell(c); });
      bands(report.contents, "");
    }
    for (std::size_t i = 0; i < report.lengths.size(); ++i) {
      const std::vector<ContentNumbers>& numbers = report.partial_contents[i];
      const std::string where = " to L = " + report.lengths[i].str();
      if (by_length) row(report, "Z" + where, numbers, [](const ContentNumbers& c) { return z_cell(c); });
      bands(numbers, where);
      if (by_length) counts(report, numbers, where);
    }
    if (!by_length) counts(report, report.contents, "");
  }
  return rows;
}

Json json_enclosed(const EnclosedNumber& number, int digits) {
  if (number.finite == Finite::no) return Json{{"finite", false}};
  if (number.finite == Finite::unknown) return Json{{"finite", nullptr}, {"reason", number.reason}};
  Json result{{"finite", true}};
  if (!number.value.is_finite()) {
    result["lower"] = nullptr;
    result["upper"] = nullptr;
  } else {
    const DecimalEnds ends = decimal_ends(number.value, digits);
    result["lower"] = ends.lower;
    result["upper"] = ends.upper;
  }
  if (!number.reason.empty()) {
    result["digits"] = number.value.is_finite() ? proved_decimal(number.value, digits).digits : 0;
    result["reason"] = number.reason;
  }
  return result;
}

Json band_json(const ContentNumbers& numbers, int digits) {
  Json json{{"content_bound", numbers.bound.str()}};
  const auto add = [&](Json& part, const EntropyBand& band) {
    part["lower"] = json_enclosed(band.lower, digits);
    part["upper"] = json_enclosed(band.upper, digits);
  };
  add(json, numbers.band);
  if (numbers.over_gates) add(json["over_gates"], numbers.over_gates->band);
  return json;
}

void add_counts_json(Json& json, const ContentNumbers& numbers, const ReportOptions& options) {
  for (std::size_t i = 0; i < numbers.windows.size(); ++i) {
    json["effective_windows"].push_back({{"epsilon", options.epsilons[i].str()},
                                         {"content_bound", numbers.bound.str()},
                                         {"W", json_count(numbers.windows[i])}});
  }
  for (std::size_t i = 0; i < numbers.reach.size(); ++i) {
    json["reach"].push_back(reach_json(options.weights[i], numbers.bound, numbers.reach[i]));
    if (numbers.over_gates) json["reach"].back()["n_over_gates"] = json_count(numbers.over_gates->reach[i]);
  }
}

void add_content_json(Json& json, const EncodingReport& report, const ReportOptions& options) {
  json["content_sums"] = Json::array();
  json["entropy_band"] = Json::array();
  json["effective_windows"] = Json::array();
  json["reach"] = Json::array();
  for (std::size_t i = 0; i < report.zero_windows.size(); ++i)
    json["effective_windows"].push_back({{"epsilon", "0"},
                                         {"content_bound", options.content_bounds[i].str()},
                                         {"W", json_count(report.zero_windows[i])}});
  for (const ContentNumbers& numbers : report.contents) {
    Json z{{"finite", true}};
    if (numbers.z_most.finite == Finite::no) {
      z = {{"finite", false}};
      if (numbers.z_least.is_enclosed())
        z["lower"] = decimal_ends(numbers.z_least.value, options.digits).lower;
    } else if (numbers.z_most.finite == Finite::unknown) {
      z = {{"finite", nullptr}, {"reason", numbers.z_most.reason}};
    } else {
      z["lower"] = numbers.z_least.is_enclosed()
                       ? Json(decimal_ends(numbers.z_least.value, options.digits).lower)
                       : Json(nullptr);
      z["upper"] = numbers.z_most.is_enclosed()
                       ? Json(decimal_ends(numbers.z_most.value, options.digits).upper)
                       : Json(nullptr);
    }
    json["content_sums"].push_back({{"content_bound", numbers.bound.str()}, {"Z", z}});
    json["entropy_band"].push_back(band_json(numbers, options.digits));
    add_counts_json(json, numbers, options);
  }
}

}  // namespace gpe::checks
