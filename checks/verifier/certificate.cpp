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
  const std::string property = claim["property"], reading = claim["reading"], verdict = claim["verdict"],
                    region = claim["region"];
  static const std::map<std::string, std::string> shorter = {{"convergent-normalization", "cn"},
                                                             {"entropy-boundedness", "eb"}};
  const std::set<std::string> free = top["free"];
  const bool bounded = shorter.contains(property), number = bounded && !free.contains("B");
  if (claim["content_bound"].is_null() == number) throw NotShown("expected exactly one content bound");
  const Q bound = number ? Evaluator(Calculus()).rational(claim["content_bound"]) : Q(0);
  const Question question{(bounded ? shorter.at(property) : property) + "." + reading,
                          bounded && !number ? "B" : bound.get_str()};
  Found found{verdict == "holds", verdict == "fails"};
  if (free.empty() && region != (verdict == "holds" ? "always" : "never"))
    throw NotShown("a region of no parameters");
  if (!free.empty()) {
    found = check_cases(question, law, free, region, cell_of(law, free), top["cases"]);
    if (!found.holds && !found.fails && !found.undecided) throw NotShown("there are no cases");
  }
  if (!top["proof"].is_null())
    check_proof({question.name + "." + verdict, question.bound}, law, Calculus(), {}, top["proof"]);
  else if (found.undecided || verdict != found.verdict())
    throw NotShown("the cases do not amount to '" + verdict + "'");
  for (const auto& [side, point] : top["witnesses"].items()) {  // there is a point on either side
    ScoreFunction at = law;
    std::set<std::string> names;
    for (const auto& [name, value] : point.items()) names.insert(name);
    if (names != free) throw NotShown("a point of other parameters");
    for (Json& one : at.json["parameters"])
      if (names.contains(one["name"])) one["value"] = point[one["name"].get<std::string>()];
    check_point(ScoreFunction(at.json), point.value("B", ""), region, side == "holds");
  }
}

}  // namespace

std::vector<Json> certificates_of(const Json& file) {
  require_form(file, "");
  if (file["kind"] != "list") return {file};
  return file["certificates"];
}

void check_certificate(const Json& given, const Limits& limits) {
  require_form(given, "#/$defs/one");
  begin(limits);
  forget_atoms();
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  try {
    const Json top = of_one_law(given);
    const ScoreFunction law(top["law"]);
    check_point(law, "", "always", true);
    if (top["kind"] == "verdict") return check_verdict(top, law);
    return top["kind"] == "numbers" ? check_numbers(law, top["claim"], top["proof"]) : check_design(law, top);
  } catch (const TooLong& error) {
    throw NotFollowed(error.what());
  }
}

}  // namespace gpe::verifier
