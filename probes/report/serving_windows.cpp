#include "probes/report/serving_windows.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "probes/predict/contradictions.h"

namespace gpe::probes {

namespace {

constexpr double kMiB = 1024.0 * 1024.0;

int bytes_of(const std::string& dtype) {
  if (dtype == "float64") return 8;
  return dtype == "float32" ? 4 : 2;
}

// What a proved window rests on: how B was found, and for what it holds.
struct Dependencies {
  std::string kind;
  std::string holds_for;
};

Dependencies dependencies_of(const std::string& content_bound) {
  if (content_bound == "weights") return {"certified", "every input"};
  if (content_bound == "measured") return {"a-posteriori", "the rows read"};
  return {"assumed", "contents within the bound that was given"};
}

// No content seen is larger; where the report does not say so, the largest |c| that it shows.
double content_seen(const Json& head) {
  const Json bound = head.at("window").value("content_seen", Json());
  if (bound.is_number()) return bound.get<double>();
  double seen = 0;
  const auto add = [&](const Json& value) {
    if (value.is_number()) seen = std::max(seen, std::abs(value.get<double>()));
  };
  for (const Json& at : head.at("lengths")) {
    for (const char* rows : {"last_row", "second_half"}) add(at.at(rows).at("largest_content").at("max"));
  }
  return seen;
}

// Rounding may carry contents beyond B by as much: in what they were computed, queries and keys are rounded
// after the product that weights bound.
double allowance(const std::string& dtype) {
  if (dtype == "float64") return kRelativeAllowance;
  return dtype == "bfloat16" ? 0x1p-3 : 0x1p-10;
}

Json head_windows(const Json& head, const Dependencies& dependencies, std::int64_t length,
                  const std::string& dtype) {
  const Json& proved = head.at("window");
  const Json& seen = head.at("statistical_window");
  Json result = {{"layer", head.at("layer")}, {"head", head.at("head")}, {"kind", "full"}, {"keys", length}};
  result["proved"] = nullptr;
  if (proved.at("W").is_number()) {
    const std::int64_t keys = proved.at("W").get<std::int64_t>() + 1;
    const double content = content_seen(head);
    const bool bounds = content <= proved.at("content_bound").get<double>() * (1 + allowance(dtype));
    result["proved"] = {{"keys", keys},
                        {"content_bound", proved.at("content_bound")},
                        {"content_seen", content},
                        {"bounds_content_seen", bounds},
                        {"largest_mass_beyond", proved.at("largest_mass_beyond")}};
    if (keys < length && bounds) {
      result["kind"] = dependencies.kind;
      result["keys"] = keys;
    }
  }
  const std::int64_t keys = seen.at("W").get<std::int64_t>() + 1;
  result["statistical"] = {{"keys", keys},
                           {"rows", seen.at("rows")},
                           {"confidence", seen.at("confidence")},
                           {"coverage", seen.at("coverage")}};
  if (result.at("kind") == "full" && keys < length) {
    result["kind"] = "statistical";
    result["keys"] = keys;
  }
  return result;
}

}  // namespace

Json serving_windows(const Json& report) {
  const std::int64_t length = report.at("lengths").back().get<std::int64_t>();
  const Dependencies dependencies = dependencies_of(report.at("content_bound").get<std::string>());
  const std::string dtype = report.at("dtype").get<std::string>();
  const int bytes = bytes_of(dtype);
  // Keys and values of one head and token.
  const double token = 2.0 * report.at("head_dim").get<double>() * bytes / kMiB;
  Json result = {{"schema", 1},
                 {"generator", report.at("generator")},
                 {"checkpoint", report.at("checkpoint")},
                 {"encoding", report.at("encoding")},
                 {"epsilon", report.at("epsilon")},
                 {"content_bound", report.at("content_bound")},
                 {"proved_windows_hold_for", dependencies.holds_for},
                 {"length", length},
                 {"layers", report.at("layers")},
                 {"heads_per_layer", report.at("heads_per_layer")},
                 {"head_dim", report.at("head_dim")},
                 {"bytes_per_number", bytes}};
  result["heads"] = Json::array();
  Json counts = {{"certified", 0}, {"a-posteriori", 0}, {"assumed", 0}, {"statistical", 0}, {"full", 0}};
  double kept = 0;
  for (const Json& head : report.at("heads")) {
    Json one = head_windows(head, dependencies, length, dtype);
    const double keys = one.at("keys").get<double>();
    one["MiB"] = token * keys;
    one["MiB_saved"] = token * (static_cast<double>(length) - keys);
    kept += keys;
    const std::string kind = one.at("kind").get<std::string>();
    counts[kind] = counts[kind].get<int>() + 1;
    result["heads"].push_back(std::move(one));
  }
  const double all = static_cast<double>(length) * static_cast<double>(result.at("heads").size());
  result["total"] = {{"heads", counts}, {"MiB", token * kept}, {"MiB_saved", token * (all - kept)}};
  return result;
}

}  // namespace gpe::probes
