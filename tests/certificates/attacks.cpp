#include "tests/certificates/attacks.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "checks/arb/expr_ball.h"
#include "checks/certificate/certificate.h"
#include "checks/certificate/number_certificate.h"
#include "checks/verifier/rules.h"
#include "tests/cases/csv.h"
#include "tests/in_time.h"
#include "theory/score/spec_parse.h"
#include "theory/source/spec_error.h"

namespace gpe::testing {

namespace {

const checks::BallOracle& oracle() {
  static const checks::BallOracle instance;
  return instance;
}

checks::EncodingReport report_on(const theory::Encoding& encoding, int head_dim) {
  checks::EncodingReport report;
  report.name = encoding.name;
  report.encoding = encoding;
  report.setting.head_dim = head_dim;
  report.law = theory::instantiate(encoding, report.setting, {}, oracle());
  report.closed_law = theory::at_values(report.law);
  return report;
}

// The encoding file that a law without tables comes from.
std::string specification_of(const Json& law) {
  const auto line = [](std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  const auto quoted = [](const Json& text) { return "'''" + text.get<std::string>() + "'''\n"; };
  std::string text = "schema = 1\nname = 'changed'\n[parameters]\n";
  for (const Json& one : law["parameters"]) {
    text += one["name"].get<std::string>() + " = { default = '''" + line(one["value"]) + "'''";
    if (!one["domain"].is_null()) text += ", domain = '''" + line(one["domain"]) + "'''";
    text += " }\n";
  }
  text += "[score]\nfirst = " + std::to_string(law["first"].get<long>()) + "\n";
  for (const char* key : {"gain", "bias", "window", "softcap", "transform"})
    if (!law[key].is_null()) text += std::string(key) + " = " + quoted(law[key]);
  text += law["angle"].is_null() ? "" : "[score.rotation]\n";
  for (const char* key : {"angle", "alpha", "scale"})
    if (!law[key].is_null()) text += std::string(key) + " = " + quoted(law[key]);
  text += law["rate"].is_null() ? "" : "[score.hyperbolic]\n";
  for (const char* key : {"rate", "decay"})
    if (!law[key].is_null()) text += std::string(key) + " = " + quoted(law[key]);
  return text;
}

// Whether the engine decides the changed law in the same way.
bool decided_alike(const Json& changed) {
  const Json& claim = changed["claim"];
  const verifier::Calculus plain;
  const theory::Encoding encoding =
      theory::parse_encoding(specification_of(changed["law"]), "changed", "/nonexistent");
  const checks::EncodingReport report = report_on(encoding, changed["law"]["head_dim"]);
  for (const theory::Reading& reading : theory::readings()) {
    if (claim["property"] != theory::name_of(reading.property) || claim["reading"] != reading.name) continue;
    const auto bound =
        claim["content_bound"].is_null()
            ? theory::Rational(1)
            : *theory::Rational::parse(verifier::Evaluator(plain).rational(claim["content_bound"]).get_str());
    const std::vector<std::string> free = changed["free"];
    const theory::Finding finding = theory::find(reading, report.law, bound, in_time(), free);
    const theory::Finding here = theory::find(reading, report.law, bound, in_time());
    const bool region = changed["free"].empty() || finding.region == claim["region"] ||
                        finding.region.find("undecided") != std::string::npos;
    return region &&
           (claim["verdict"] == theory::name_of(here.verdict) || here.verdict == theory::Verdict::undecided);
  }
  return false;
}

template <class T>
const T& any(const std::vector<T>& all, std::mt19937_64& random) {
  return all[random() % all.size()];
}

}  // namespace

std::vector<Json> certificates_of(const std::string& encoding) {
  const auto file = std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings" / (encoding + ".toml");
  checks::EncodingReport report = report_on(theory::load_encoding(file), 64);
  report.findings = theory::find_all(report.law, {1}, in_time());
  std::vector<Json> result;
  for (const theory::Finding& finding : report.findings)
    result.push_back(verifier::read_json(checks::certificate(report, finding, {}, in_time()).dump()));
  return result;
}

Json number_certificate_of(const std::string& encoding) {
  const auto file = std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings" / (encoding + ".toml");
  checks::ReportOptions options;
  options.epsilons = {{1, 1000}};
  options.weights = {{1, 2}};
  const checks::EncodingReport report =
      checks::analyse(theory::load_encoding(file), {}, {}, options, in_time());
  return verifier::read_json(checks::number_certificate(report, options, in_time()).dump());
}

bool accepted(const Json& certificate) {
  try {
    verifier::check_certificate(verifier::read_json(certificate.dump()));
    return true;
  } catch (const verifier::NotShown&) {
    return false;
  }
}

std::vector<Json::json_pointer> places(const Json& document) {
  std::vector<Json::json_pointer> result;
  const auto visit = [&](const auto& self, const Json& value, const Json::json_pointer& at) -> void {
    result.push_back(at);
    if (value.is_object())
      for (const auto& [key, inner] : value.items()) self(self, inner, at / key);
    if (value.is_array())
      for (std::size_t i = 0; i < value.size(); ++i) self(self, value[i], at / i);
  };
  visit(visit, document, Json::json_pointer());
  result.erase(result.begin());
  return result;
}

namespace {

char other_sign(char sign) {
  if (sign == '-') return '+';
  if (sign == '*') return '/';
  return sign == '<' ? '>' : '-';
}

}  // namespace

Json damaged(const Json& document, const Json::json_pointer& place, int way) {
  Json result = document;
  Json& value = result[place];
  Json& parent = result[place.parent_pointer()];
  std::string text = value.is_string() ? value.get<std::string>() : "";
  const std::size_t digit = text.find_first_of("0123456789");
  const std::size_t sign = text.find_first_of("+-*/<>");
  switch (way) {
    case 0:
      if (parent.is_object())
        parent.erase(place.back());
      else
        parent.erase(std::stoul(place.back()));
      break;
    case 1:
      value = nullptr;
      break;
    case 2:
      value = value.is_string() || value.is_null() ? Json(7) : Json("7");
      break;
    case 3:
      if (value.is_number_unsigned())
        value = value.get<unsigned long>() + 1;
      else if (digit != std::string::npos) {
        text[digit] = text[digit] == '9' ? '1' : static_cast<char>(text[digit] + 1);
        value = text;
      } else
        value = Json::array({value});
      break;
    case 4:
      if (value.is_string())
        value = "-(" + text + ")";
      else if (value.is_number_unsigned() && value > 0)
        value = value.get<unsigned long>() - 1;
      break;
    case 5:
      if (sign != std::string::npos) {
        text[sign] = other_sign(text[sign]);
        value = text;
      }
      break;
    case 6:
      if (!text.empty()) value = text.substr(1);
      break;
    case 7:
      if (!text.empty()) value = text.substr(0, text.size() - 1);
      break;
    case 8:
      if (value.is_object())
        value["more"] = 1;
      else if (value.is_array())
        value.push_back(value.empty() ? Json(1) : value.back());
      else if (value.is_string())
        value = "2*(" + text + ")";
      break;
    case 9:  // "always" for "never", "holds" for "fails", one rule or reading for another
      for (const auto& [one, other] :
           {std::pair("always", "never"), std::pair("holds", "fails"), std::pair("converges", "diverges"),
            std::pair("limit", "some-content"), std::pair("every-content", "expected"),
            std::pair("above", "below"), std::pair("literal", "content"), std::pair("signed", "weight"),
            std::pair("norm", "scalar")})
        for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)})
          if (const std::size_t at = text.find(from); at != std::string::npos && value == document[place])
            value = std::string(text).replace(at, std::string(from).size(), to);
      break;
    case 10:
      if (value.is_string()) value = text + " + n";
      break;
    default:
      if (value.is_string())
        value = "0";
      else if (value.is_object() || value.is_array())
        value.clear();
  }
  return result;
}

RandomDamage random_damage(const std::vector<Json>& certificates, std::mt19937_64& random) {
  const Json& original = certificates[random() % certificates.size()];
  RandomDamage result{&original, original};
  for (std::size_t n = 1 + random() % 3; n > 0; --n) {
    const auto where = places(result.changed);
    result.changed =
        damaged(result.changed, where[random() % where.size()], static_cast<int>(random() % damage_count));
  }
  return result;
}

bool harmless(const Json& original, const Json& altered) {
  Json changed =
      altered;  // a claim about the gradient does not speak of b, one about sums and scores not of angles
  if (changed["claim"]["property"] == "gps") {
    changed["law"]["bias"] = original["law"]["bias"];
  } else if (!original["law"]["angle"].is_null()) {
    for (const char* key : {"angle", "alpha"}) changed["law"][key] = original["law"][key];
  }
  const Json& reading_name = changed["claim"]["reading"];  // statements about b alone
  if (reading_name == "literal" || reading_name == "signed" || reading_name == "weight") {
    for (const char* key : {"gain", "softcap"}) changed["law"][key] = original["law"][key];
  }
  bool same = true;
  for (const char* key : {"kind", "claim", "law", "free"}) same = same && original[key] == changed[key];
  if (same) return true;
  // fewer free parameters: the others have their values, which is a case of the same statement
  const auto names = [](const Json& one) { return one["free"].get<std::set<std::string>>(); };
  const bool fewer = changed["free"].is_array() && std::ranges::all_of(changed["free"], &Json::is_string) &&
                     std::ranges::includes(names(original), names(changed));
  if (fewer && original["kind"] == changed["kind"] && original["claim"] == changed["claim"] &&
      original["law"] == changed["law"])
    return true;
  if (!changed["law"]["tables"].empty()) return false;  // not looked at
  try {
    return decided_alike(changed);
  } catch (const theory::SpecError&) {
    return false;  // no law
  }
}

std::vector<Json> false_claims() {
  std::vector<Json> result;
  for (const CsvRow& row : read_cases("instances.csv")) {
    for (const auto& [column, property, reading] :
         {std::tuple("z_every", "convergent-normalization", "every-content"),
          std::tuple("z_some", "convergent-normalization", "some-content"),
          std::tuple("h_every", "entropy-boundedness", "limit"),
          std::tuple("h_some", "entropy-boundedness", "some-content")}) {
      if (row.at(column).empty()) continue;
      const std::string verdict = row.at(column) == "holds" ? "fails" : "holds";
      const bool content = !row.at("gain").empty();
      Json law = {{"name", row.at("id")},
                  {"head_dim", 64},
                  {"head", 1},
                  {"heads", 1},
                  {"layer", 1},
                  {"layers", 1},
                  {"first", std::stol(row.at("first"))},
                  {"transform", content ? "identity" : "none"},
                  {"gain", content ? row.at("gain") : "1"},
                  {"bias", row.at("bias")},
                  {"parameters", Json::array()},
                  {"tables", Json::object()}};
      for (const char* key : {"window", "softcap", "angle", "alpha", "scale", "rate", "decay"})
        law[key] = nullptr;
      result.push_back({{"schema", 1},
                        {"kind", "verdict"},
                        {"claim",
                         {{"property", property},
                          {"reading", reading},
                          {"content_bound", "1"},
                          {"verdict", verdict},
                          {"region", verdict == "holds" ? "always" : "never"}}},
                        {"law", law},
                        {"free", Json::array()},
                        {"proof", nullptr},
                        {"cases", nullptr},
                        {"witnesses", nullptr}});
    }
  }
  return result;
}

Json forged(const Json& claim, std::mt19937_64& random) {
  using Texts = std::vector<std::string>;
  const std::string question = (claim["claim"]["property"] == "convergent-normalization" ? "cn." : "eb.") +
                               claim["claim"]["reading"].get<std::string>() + "." +
                               claim["claim"]["verdict"].get<std::string>();
  std::vector<verifier::Rule> rules;
  for (const verifier::Rule& rule : verifier::rules())
    if (rule.questions.find(question) != std::string::npos) rules.push_back(rule);
  const verifier::Rule& rule = any(rules, random);
  Json proof = {{"rule", rule.name}};
  const Texts scores = {"above", "below", "b", "mean"};
  const Texts numbers = {"1",         "0",  "10",       "1000000", "10^100", "1/1000000",
                         "10^(-100)", "-1", "exp(400)", "iter(1)", "n",      "1/iter(5)"};
  const Texts formulas = {"-(" + claim["law"]["bias"].get<std::string>() + ")",
                          "3*log(n)",
                          "log(n)",
                          "n",
                          "1",
                          "iter(1) + 2*iter(2)",
                          "iter(1) + iter(2)",
                          "exp(iter(2))",
                          "floor(2*log(n))"};
  if (!rule.scores.empty()) {
    do proof["score"] = any(scores, random);
    while (rule.scores.find(proof["score"].get<std::string>()) == std::string::npos);
  }
  const auto asks = [&](const std::string& name) {
    return rule.claims.find("$" + name) != std::string::npos;
  };
  if (asks("k ") || asks("k,")) proof["k"] = random() % 5;
  for (const char* name : {"C", "M", "c", "eta"})
    if (asks(name)) proof[name] = any(numbers, random);
  for (const char* name : {"U", "S"})
    if (asks(name) && random() % 3 != 0) proof[name] = any(formulas, random);
  if (asks("i)")) proof["i"] = random() % 6;
  if (random() % 4 == 0) proof["modulus"] = 1 + random() % 4;
  if (random() % 4 == 0) proof["residue"] = random() % 4;
  const auto threshold = [&] {
    return Json{{"depth", 1 + random() % 5},
                {"ell", any(Texts{"11/10", "3/2", "2", "3", "6", "50", "1000", "1000000"}, random)},
                {"from", nullptr}};
  };
  proof["threshold"] = threshold();
  Json result = claim;
  result["proof"] = proof;
  return result;
}

}  // namespace gpe::testing
