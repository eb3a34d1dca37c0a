// The audit as JSON. Tests: tests/cli/audit.cmake
#include <nlohmann/json.hpp>

#include "checks/audit/audit_output.h"
#include "checks/cli/version.h"
#include "checks/report/json_number.h"

namespace gpe::checks {

namespace {

Json object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs) object[name] = value;
  return object;
}

Json json_of(const ReadingResult& reading) {
  Json witness = nullptr;
  if (reading.witness)
    witness =
        Json{{"point", object_of(reading.witness->point)}, {"values", object_of(reading.witness->values)}};
  return Json{{"reading", reading.name},
              {"says", json_text_or_null(reading.says)},
              {"formula", reading.formula},
              {"verdict", std::string(name_of(reading.verdict))},
              {"region", json_text_or_null(reading.region)},
              {"witness", witness},
              {"reason", json_text_or_null(reading.reason)},
              {"certificate", json_text_or_null(reading.certificate)},
              {"uncertified", reading.uncertified.empty() ? Json(nullptr) : Json(reading.uncertified)}};
}

Json json_of(const std::vector<ReadingResult>& readings) {
  Json list = Json::array();
  for (const ReadingResult& reading : readings) list.push_back(json_of(reading));
  return list;
}

}  // namespace

std::string audit_json(const AuditResult& result) {
  Json claims = Json::array();
  for (const ClaimResult& claim : result.claims) {
    Json repair = nullptr;
    if (!claim.repair.empty())
      repair = Json{{"statement", claim.repair}, {"readings", json_of(claim.repairs)}};
    claims.push_back(Json{{"id", claim.id},
                          {"statement", claim.statement},
                          {"where", json_text_or_null(claim.where)},
                          {"source", json_text_or_null(claim.source)},
                          {"verdict", std::string(name_of(claim.overall()))},
                          {"readings", json_of(claim.readings)},
                          {"repair", repair}});
  }
  const Json document = {{"schema", 1},
                         {"generator", {{"program", "audit-claims"}, {"version", kVersion}}},
                         {"file", result.name},
                         {"title", result.title},
                         {"reference", json_text_or_null(result.reference)},
                         {"claims", claims}};
  return json_text(document);
}

}  // namespace gpe::checks
