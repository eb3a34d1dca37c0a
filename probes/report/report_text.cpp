// The report of a probe for people. Tests: tests/probes/probe_attention_test.py
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "checks/report/text_table.h"
#include "probes/report/report_json.h"

namespace gpe::probes {

namespace {

using checks::Cell;
using checks::TextTable;
using checks::Tone;

std::string fixed(const Json& value, int places = 3) {
  if (!value.is_number()) return "-";
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", places, value.get<double>());
  return text;
}

std::string general(const Json& value, int digits = 3) {
  if (!value.is_number()) return "-";
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value.get<double>());
  return text;
}

std::string count(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object()) return value.contains("log10") ? "10^" + value["log10"].get<std::string>() : "?";
  return value.dump();
}

std::string head_name(const Json& head) { return head["layer"].dump() + "." + head["head"].dump(); }

Json median(std::vector<double> numbers) {
  if (numbers.empty()) return nullptr;
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}

std::string interval(const Json& band) {
  if (band["lower"].is_null() && band["upper"].is_null()) return "-";
  return fixed(band["lower"]) + " .. " + fixed(band["upper"]);
}

// In brackets where the prediction is not to be believed.
std::string moment(const Json& prediction) {
  const std::string value = fixed(prediction["entropy"]);
  return prediction["entropy"].is_null() || prediction["in_range"].get<bool>() ? value : "(" + value + ")";
}

std::vector<Cell> cells(const std::vector<std::string>& texts) {
  std::vector<Cell> result;
  for (const std::string& text : texts) result.push_back({text, Tone::plain});
  return result;
}

std::string entropies(const Json& report) {
  TextTable table;
  std::vector<std::string> title = {"head"};
  for (const Json& length : report["lengths"]) title.push_back(length.dump());
  title.emplace_back("dH/dlogL");
  table.add_row(cells(title));
  for (const Json& head : report["heads"]) {
    std::vector<std::string> row = {head_name(head)};
    for (const Json& at : head["lengths"]) row.push_back(fixed(at["last_row"]["entropy"]["mean"]));
    row.push_back(fixed(head["lengths"].back()["slope"]));
    table.add_row(cells(row));
  }
  return "entropy in nats, row T - 1, mean over windows, by T; dH/dlogL of the mean over rows T/2 .. T - 1,\n"
         "between the last two lengths\n" +
         table.text(false);
}

std::string predictions(const Json& report) {
  TextTable table;
  table.add_row(
      cells({"head", "measured", "bias alone", "moments", "sphere", "band of ranges", "band of B", "B"}));
  for (const Json& head : report["heads"]) {
    const Json& at = head["lengths"].back();
    const Json& says = at["predictions"];
    table.add_row(
        cells({head_name(head), fixed(at["last_row"]["entropy"]["mean"]), fixed(says["zero"]["entropy"]),
               moment(says["moment"]), fixed(says["sphere"]["entropy"]), interval(says["ranges_band"]),
               interval(says["bound_band"]), general(at["content_bound"])}));
  }
  return "at T = " + report["lengths"].back().dump() +
         ": entropy measured, and predicted; in brackets outside the range of the predictor\n" +
         table.text(false);
}

// What windows of the fit say of the greatest length, and how far off it is.
std::string extrapolations(const Json& report) {
  const std::vector<std::pair<std::string, std::string>> predictors = {{"bias", "bias alone"},
                                                                       {"sphere", "sphere"},
                                                                       {"moments", "moments"},
                                                                       {"log", "a + b log T"},
                                                                       {"continued", "continued"}};
  TextTable table;
  std::vector<std::string> title = {"head", "measured"};
  for (const auto& [name, shown] : predictors) title.push_back(shown);
  table.add_row(cells(title));
  std::map<std::string, std::vector<double>> errors;
  for (const Json& head : report["heads"]) {
    if (head["extrapolation"].empty()) return "";
    const Json& at = head["extrapolation"].back();
    std::vector<std::string> row = {head_name(head), fixed(at["measured"])};
    for (const auto& [name, shown] : predictors) {
      const Json& says = at["predictors"][name];
      row.push_back(fixed(says["from_fit"]["entropy"]));
      for (const char* way : {"plain", "from_fit"}) {
        if (says[way]["error"].is_number())
          errors[name + way].push_back(std::abs(says[way]["error"].get<double>()));
      }
    }
    table.add_row(cells(row));
  }
  for (const auto& [way, shown] :
       {std::pair("from_fit", "median |error|"), std::pair("plain", "without fit")}) {
    std::vector<std::string> row = {shown, ""};
    for (const auto& [name, of] : predictors) row.push_back(fixed(median(errors[name + way])));
    table.add_row(cells(row));
  }
  const std::string fit = report["fit"]["tokens"].dump();
  return "mean over rows T/2 .. T - 1 at T = " + report["lengths"].back().dump() +
         ", predicted from windows of " + fit + " tokens:\n" +
         "what was measured there, plus each predictor's difference; without fit: the predictor alone\n" +
         table.text(false) + "\n";
}

std::string weights(const Json& report) {
  TextTable table;
  const std::string epsilon = report["epsilon"].get<std::string>();
  const std::string weight = report["weight"].get<std::string>();
  const std::string threshold = report["threshold"].get<std::string>();
  table.add_row(cells({"head", "largest", "at n", "p >= " + weight + " to n", "reach", "W(" + epsilon + ")",
                       "beyond W", "|A| <= " + threshold + " to n", "|b| <= " + threshold + " to n"}));
  for (const Json& head : report["heads"]) {
    const Json& tested = head["lengths"].back()["tested"];
    const Json& window = head["window"];
    const Json& range = head["local_range"];
    table.add_row(cells({head_name(head), general(tested["largest_weight"]),
                         count(tested["largest_weight_at"]), count(tested["farthest"]),
                         count(tested["reach"]), count(window["W"]), general(window["largest_mass_beyond"]),
                         count(range["within"]), count(range["within_of_bias"])}));
  }
  return "weights of row T - 1 at T = " + report["lengths"].back().dump() + ", the largest over windows\n" +
         table.text(false);
}

std::string masses(const Json& report) {
  TextTable table;
  std::vector<std::string> title = {"head"};
  for (const Json& bucket : report["heads"].front()["distances"])
    title.push_back(bucket["from"] == bucket["to"] ? bucket["from"].dump()
                                                   : bucket["from"].dump() + "-" + bucket["to"].dump());
  if (title.size() > 20) return "";
  table.add_row(cells(title));
  for (const Json& head : report["heads"]) {
    std::vector<std::string> row = {head_name(head)};
    for (const Json& bucket : head["distances"]) row.push_back(fixed(bucket["mass"]));
    table.add_row(cells(row));
  }
  return "\nweight by distance, mean over all rows of all windows\n" + table.text(false);
}

}  // namespace

std::string report_text(const Json& report) {
  std::string text = report["encoding"].get<std::string>() + ", " + report["layers"].dump() + " layers of " +
                     report["heads_per_layer"].dump() + " heads of dimension " + report["head_dim"].dump() +
                     ", trained at " + report["context"].dump() + " tokens; " + report["windows"].dump() +
                     " windows of " + report["lengths"].back().dump() + " tokens of " +
                     report["tokens"]["file"].get<std::string>() + "\n" +
                     "content bound B: " + report["content_bound"].get<std::string>() + "\n\n";
  text += entropies(report) + "\n" + predictions(report) + "\n" + extrapolations(report) + weights(report) +
          masses(report) + "\n";
  const Json& contradictions = report["contradictions"];
  if (contradictions.empty())
    return text + "no contradiction of a theorem in " + report["tested_rows"].dump() + " rows tested\n";
  for (const Json& one : contradictions) text += "contradiction: " + one["text"].get<std::string>() + "\n";
  return text;
}

}  // namespace gpe::probes
