#include "checks/verifier/region.h"
// Tests: tests/certificates/hypotheses_test.cpp, tests/certificates/forged_forms.py
#include <algorithm>

#include "checks/verifier/defined.h"

namespace gpe::verifier {

bool lies(const Calculus& cell, Evaluator e, const std::string& region, bool inside) {
  if (region == "always" || region == "never") return inside == (region == "always");
  for (std::size_t at = 0; at <= region.size();) {
    const std::size_t end = std::min(region.find(", or ", at), region.size());
    const auto conditions = e.conditions(region.substr(at, end - at));
    Calculus with = cell;  // what lies outside contradicts one condition, given those before it
    bool all = true, contradiction = false;
    for (const auto& [f, relation] : conditions) {
      all = all && cell.follows(f, relation);
      contradiction = contradiction || with.follows(f, contrary(relation));
      with.assume(f, relation);
    }
    if (inside ? all : !contradiction) return inside;
    at = end + 5;
  }
  return !inside;
}

void check_domain(const Calculus& cell, Evaluator& e, const Json& parameter) {
  if (parameter["domain"].is_null()) return;
  for (const auto& [f, relation] : e.conditions(parameter["domain"]))
    if (!cell.follows(f, relation)) throw NotShown(parameter["name"].dump() + " lies outside its domain");
}

Found check_cases(const Question& question, const ScoreFunction& law, const std::set<std::string>& free,
                  const std::string& region, const Calculus& cell, const Json& tree, int depth,
                  bool defined) {
  Found found;
  try {
    if (depth == 0) require_defined(law, cell, free);
    defined = defined || depth == 0;
  } catch (const NotShown&) {  // then in each case
  }
  Evaluator e = law.evaluator(cell, free);
  if (depth > 60) throw NotShown("the cases are nested too deeply");
  if (tree.contains("split")) {
    const std::string splitter = tree["split"];
    const Form f = e(splitter);
    for (const auto& [key, relation] :
         {std::pair("below", "<"), std::pair("at", "="), std::pair("above", ">")}) {
      Calculus part = cell;
      part.assume(f, relation);
      if (!tree.contains(key) && !cell.follows(f, contrary(relation)) && !part.empty())
        throw NotFollowed("the case " + splitter + " " + relation + " 0 is missing");
      if (!tree.contains(key)) continue;
      const Found inside = check_cases(question, law, free, region, part, tree[key], depth + 1, defined);
      found = {found.holds || inside.holds, found.fails || inside.fails, found.undecided || inside.undecided};
    }
    return found;
  }
  if (cell.empty()) return found;  // of nothing, and it counts as no case
  const std::string verdict = tree["verdict"], open = "; undecided: ";
  found = {verdict == "holds", verdict == "fails", verdict == "undecided"};
  const std::size_t end = std::min(region.find(open), region.size());
  const bool placed =
      lies(cell, e, region.substr(0, end), found.holds) &&
      lies(cell, e, end < region.size() ? region.substr(end + open.size()) : "never", found.undecided);
  if (!placed) throw NotFollowed("the region is not seen to have this case on the right side");
  if (found.undecided) return found;
  if (!defined) require_defined(law, cell, free);
  check_proof({question.name + "." + verdict, question.bound}, law, cell, free, tree["proof"]);
  return found;
}

}  // namespace gpe::verifier
