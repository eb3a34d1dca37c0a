#include "checks/audit_results.h"

#include <nlohmann/json.hpp>

#include "theory/decision.h"
#include "theory/spec_error.h"
#include "theory/spec_parse.h"

namespace gpe::checks {

namespace {

constexpr long kBits = 128;

Ball number(const nlohmann::json& value, const std::string& where) {
  // numbers that are not strings are read as written
  const std::string text = value.is_string()   ? value.get<std::string>()
                           : value.is_number() ? value.dump()
                                               : "";
  const auto result = theory::Rational::parse(text);
  if (!result) throw theory::SpecError(where + ": expected a number or {\"lower\", \"upper\"}");
  return {*result, kBits};
}

}  // namespace

Ball measured(const std::filesystem::path& folder, const std::vector<std::string>& path) {
  std::string wanted = path.front() + ".json";
  for (std::size_t i = 1; i < path.size(); ++i) wanted += (i == 1 ? ": " : ".") + path[i];
  if (folder.empty()) throw theory::Undecided("not measured yet: needs " + wanted + " (--results DIR)");
  const std::filesystem::path file = folder / (path.front() + ".json");
  if (!std::filesystem::exists(file))
    throw theory::Undecided("not measured yet: needs " + wanted + ", and there is no such file");
  const nlohmann::json document = nlohmann::json::parse(theory::read_text_file(file), nullptr, false);
  if (document.is_discarded()) throw theory::SpecError(file.string() + ": not JSON");
  const nlohmann::json* at = &document;
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (!at->is_object() || !at->contains(path[i]))
      throw theory::Undecided("not measured yet: " + wanted + " is not in the file");
    at = &(*at)[path[i]];
  }
  const std::string where = file.string() + ": " + wanted;
  if (!at->is_object()) return number(*at, where);
  if (!at->contains("lower") || !at->contains("upper"))
    throw theory::SpecError(where + ": expected a number or {\"lower\", \"upper\"}");
  return Ball::hull(number((*at)["lower"], where), number((*at)["upper"], where), kBits);
}

}  // namespace gpe::checks
