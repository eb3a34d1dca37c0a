#include "checks/programs/claim_in_words.h"

#include <algorithm>

namespace gpe::verifier {

namespace {

const std::map<std::string, std::string> kShort = {
    {"convergent-normalization", "cn"}, {"entropy-boundedness", "eb"}, {"ldcp", "ldcp"}, {"gps", "gps"}};

// For which parameters: those that are free, in their domains, and the values of the others.
std::string where(const Json& top, const std::string& verdict, const std::string& region) {
  const std::string mark = "; undecided: ";
  const std::size_t at = region.find(mark);
  const std::string decided = region.substr(0, at);
  const std::string rest = at == std::string::npos ? "" : region.substr(at + mark.size());
  // Gates, other normalizers and laws of content have conditions beside the domains.
  const Json& law = top["law"];
  const bool conditions =
      law.contains("path") || law.contains("normalizer") || law.contains("content") || law.contains("query");
  const std::string narrower = conditions ? " for which it is defined" : "";
  std::string all, fixed, domains;
  for (const Json& one : law["parameters"]) {
    const std::string name = one["name"];
    if (std::ranges::find(top["free"], Json(name)) == top["free"].end()) {
      fixed += (fixed.empty() ? "" : ", ") + name + " = " + one["value"].get<std::string>();
    } else if (!one["domain"].is_null() && one["domain"] != "") {
      domains = " in the domains";
    }
  }
  for (const std::string name : top["free"]) all += (all.empty() ? "" : ", ") + name;
  std::string result;
  if (all.empty())
    result = "";
  else if (decided != "always" && decided != "never")
    result = (verdict == "holds" ? " for " : "; holds for ") + decided;
  else if (rest.empty())
    result = " for all " + all + domains + narrower;
  else
    result = " at the values of the parameters";
  if (!rest.empty()) result += "; undecided for " + rest;
  return fixed.empty() ? result : result + "; at " + fixed;
}

// "cn every-content, |c| <= 1: holds for m > 0"
std::string verdict_in_words(const Json& top) {
  const Json& claim = top["claim"];
  const std::string verdict = claim["verdict"], region = claim["region"];
  std::string result = kShort.at(claim["property"]) + " " + claim["reading"].get<std::string>();
  for (const auto& [key, of] :
       {std::pair("gates", "gate"), std::pair("query", "query"), std::pair("law", "content")})
    if (claim.contains(key) && claim[key].is_string())
      result += ", " + claim[key].get<std::string>() + " " + of;
  if (top["law"].contains("normalizer")) result += ", " + top["law"]["normalizer"]["kind"].get<std::string>();
  if (!claim["content_bound"].is_null()) result += ", |c| <= " + claim["content_bound"].get<std::string>();
  return result + ": " + verdict + where(top, verdict, region);
}

std::string numbers_in_words(const Json& claim) {
  std::string result = "numbers";
  for (const char* key : {"Z", "H"}) {
    const Json& ends = claim[key];
    if (ends.is_object())
      result += std::string(", ") + key + " in [" + ends["lower"].get<std::string>() + ", " +
                ends["upper"].get<std::string>() + "]";
    else if (!ends.is_null())
      result += std::string(", ") + key + " infinite";
  }
  for (const char* key : {"windows", "reach", "self_reach", "local_range"})
    if (!claim[key].empty()) result += std::string(", ") + key;
  return result;
}

std::string design_in_words(const Json& claim) {
  const Json &objective = claim["objective"], &found = claim["found"];
  const std::string box = " of the box " + claim["box"].dump() + " that meets ";
  const std::string all = std::to_string(claim["requirements"].size()) + " requirements";
  if (found.is_null()) return "design: no point" + box + all;
  std::string result = "design: " + found["parameters"].dump() + " meets " + all;
  if (objective.is_null()) return result;
  const std::string quantity = objective["quantity"];
  result += ", with " + quantity + " " + found["value"].get<std::string>();
  if (objective["bound"].is_null()) return result;
  return result + "; no point" + box + "them is better than " + objective["bound"].get<std::string>();
}

}  // namespace

std::string claim_in_words(const Json& certificate) {
  const Json& claim = certificate["claim"];
  const std::string name = certificate["law"]["name"], kind = certificate["kind"];
  if (kind == "numbers") return name + ", " + numbers_in_words(claim);
  return name + ", " + (kind == "design" ? design_in_words(claim) : verdict_in_words(certificate));
}

}  // namespace gpe::verifier
