#include "probes/report/audit_entropy.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "checks/cli/read_json.h"
#include "checks/cli/write_file.h"
#include "model/data/bootstrap.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_file.h"

namespace gpe::probes {

namespace {

constexpr std::uint64_t kSeed = 1;

// Of the length at `at` of every head, by window the mean over heads.
std::vector<model::Cluster> by_window(const Json& report, std::size_t at) {
  std::vector<model::Cluster> result(report["windows"].get<std::size_t>());
  for (const Json& head : report["heads"]) {
    const Json& entropies = head["lengths"][at]["window_entropy"];
    for (std::size_t w = 0; w < result.size(); ++w) {
      result[w].sum += entropies[w].get<double>();
      result[w].count += 1;
    }
  }
  return result;
}

Json table_of(const Json& report) {
  Json rows = Json::array();
  bool intervals = true;
  for (std::size_t at = 0; at < report["lengths"].size(); ++at) {
    const std::vector<model::Cluster> windows = by_window(report, at);
    Json& row = rows.emplace_back(Json{report["lengths"][at], model::cluster_mean(windows)});
    const auto interval = model::bootstrap_interval(windows, kSeed);
    intervals = interval.has_value();
    if (!intervals) continue;
    row.push_back(interval->lower);
    row.push_back(interval->upper);
  }
  Json columns = {"tokens", "entropy"};
  if (intervals) columns.insert(columns.end(), {"low", "high"});
  return {{"columns", columns}, {"rows", rows}};
}

}  // namespace

AuditEntry audit_entry(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw theory::SpecError(option + " " + text + ": expected NAME=FILE");
  return {text.substr(0, equals), text.substr(equals + 1)};
}

void add_to_audit(const AuditEntry& entry, const Json& report) {
  Json all = Json::object();
  if (std::filesystem::exists(entry.file)) {
    all = checks::read_ordered_json(theory::read_text_file(entry.file), entry.file);
    if (!all.is_object()) throw theory::SpecError(entry.file + ": not a JSON object");
    if (all.contains(entry.name) && !all[entry.name].is_object())
      throw theory::SpecError(entry.file + ": '" + entry.name + "' is not a table of entropies");
  }
  all["schema"] = 1;
  all["what"] = "mean entropy of all heads, rows T/2 to T - 1, in nats; 95 % of the bootstrap over windows";
  all[entry.name][report["context"].dump()] = table_of(report);
  checks::write_file(entry.file, all.dump(1) + "\n");
}

}  // namespace gpe::probes
