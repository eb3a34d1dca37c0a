#include "checks/verifier/certificate.h"
// Tests: tests/certificates/attacks_test.cpp, tests/certificates/hypotheses_test.cpp
#include <algorithm>

#include "checks/verifier/defined.h"
#include "checks/verifier/design.h"
#include "checks/verifier/numbers.h"
#include "checks/verifier/one_law.h"
#include "checks/verifier/region.h"

namespace gpe::verifier {

namespace {

// The values of the parameters lie in their domains, and in the region or outside of it.
void check_point(const ScoreFunction& law, const std::string& bound, const std::string& region, bool inside) {
  const Calculus plain;
  Evaluator e = law.evaluator(plain, {});
  if (!bound.empty()) e.names["B"] = e.rational(bound);
  if (!bound.empty() && !plain.positive(e.names["B"])) throw NotShown("a content bound that is not positive");
  for (const Json& one : law.parameters()) check_domain(plain, e, one);
  if (!lies(plain, e, region.substr(0, region.find("; undecided: ")), inside))
    throw NotShown("a point on the wrong side of the region");
  require_defined(law, plain, {});
}

void check_verdict(const Json& top, const ScoreFunction& law) {
  const Json& claim = top["claim"];
  require_keys(claim, {"property", "reading", "content_bound", "verdict", "region"});
  const std::string property = claim["property"], reading = claim["reading"], verdict = claim["verdict"],
                    region = claim["region"];
  static const std::map<std::string, std::string> properties = {
      {"convergent-normalization", "cn"}, {"entropy-boundedness", "eb"}, {"ldcp", "ldcp"}, {"gps", "gps"}};
  if (!properties.contains(property)) throw NotShown("no such property: " + property);
  const std::string shorter = properties.at(property);
  const std::set<std::string> free = top["free"];
  if (free.size() != top["free"].size()) throw NotShown("a parameter is free twice");
  const bool bounded = shorter == "cn" || shorter == "eb", number = bounded && !free.contains("B");
  if (claim["content_bound"].is_null() == number) throw NotShown("expected exactly one content bound");
  const Q bound = number ? Evaluator(Calculus()).rational(claim["content_bound"]) : Q(0);
  if (bound < 0) throw NotShown("a negative content bound");
  const Question question{shorter + "." + reading, bounded && !number ? "B" : bound.get_str()};
  check_point(law, "", "always", true);
  const bool split = top["proof"].is_null() && verdict == "depends";
  if (!split && !top["witnesses"].is_null()) throw NotShown("witnesses of nothing");
  Found found{verdict == "holds", verdict == "fails"};
  if (free.empty() && (region != (verdict == "holds" ? "always" : "never") || !top["cases"].is_null()))
    throw NotShown("a region of no parameters");
  if (!free.empty()) {
    found = check_cases(question, law, free, region, cell_of(law, free), top["cases"]);
    if (!found.holds && !found.fails && !found.undecided) throw NotShown("there are no cases");
  }
  if (!top["proof"].is_null())
    check_proof({question.name + "." + verdict, question.bound}, law, Calculus(), {}, top["proof"]);
  else if (free.empty() || found.undecided || verdict != found.verdict())
    throw NotShown("the cases do not amount to '" + verdict + "'");
  if (split) {  // there is a point on either side
    require_keys(top["witnesses"], {"holds", "fails"});
    for (const char* side : {"holds", "fails"}) {
      ScoreFunction at = law;
      const Json& point = top["witnesses"].at(side);
      require_keys(point, free);
      for (Json& one : at.json["parameters"])
        if (free.contains(one["name"])) one["value"] = point.at(one["name"]);
      check_point(ScoreFunction(at.json), free.contains("B") ? point.at("B").get<std::string>() : "", region,
                  side == std::string("holds"));
    }
  }
}

void check_other(const Json& top, const ScoreFunction& law) {
  const bool numbers = top["kind"] == "numbers";
  if (!numbers && top["kind"] != "design")
    throw NotShown("no such kind of certificate: " + top["kind"].dump());
  if (!top["witnesses"].is_null() || (numbers && (!top["free"].empty() || !top["cases"].is_null())))
    throw NotShown("witnesses of a point, or free parameters of numbers");
  check_point(law, "", "always", true);
  return numbers ? check_numbers(law, top["claim"], top["proof"]) : check_design(law, top);
}

}  // namespace

std::vector<Json> certificates_of(const Json& file) {
  if (!file.is_object() || !file.contains("kind") || file["kind"] != "list") return {file};
  require_keys(file, {"schema", "kind", "certificates"});
  if (!file["schema"].is_number_unsigned() || file["schema"] != 1 || !file["certificates"].is_array() ||
      file["certificates"].empty())
    throw NotShown("a list of no certificates");
  return file["certificates"];
}

void check_certificate(const Json& given, const Limits& limits) {
  begin(limits);
  forget_atoms();
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  try {
    const Json top = of_one_law(given);
    require_keys(top, {"schema", "kind", "claim", "law", "free", "proof", "cases", "witnesses"});
    if (!top["schema"].is_number_unsigned() || top["schema"] != 1)
      throw NotShown("this program reads schema 1");
    const ScoreFunction law(top["law"]);
    return top["kind"] == "verdict" ? check_verdict(top, law) : check_other(top, law);
  } catch (const Json::exception& error) {
    throw NotShown(std::string("a value of the wrong type: ") + error.what());
  } catch (const TooLong& error) {
    throw NotFollowed(error.what());
  }
}

}  // namespace gpe::verifier
