#include "checks/audit/paired_mean.h"
// Tests: tests/cli/audit.cmake
#include <map>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/audit/measured_results.h"
#include "theory/exact/decision.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

namespace {

std::size_t number_of_runs(const ClaimTerm& term) {
  std::size_t result = 1;
  for (const ClaimQuantity& quantity : term.quantities) {
    if (quantity.name != "measured")
      throw theory::SpecError("paired(" + term.text + "): expected measured(…), found " + quantity.text);
    for (const std::string& word : quantity.words) {
      const std::size_t names = run_names(word).size();
      if (names > 1 && result > 1 && names != result)
        throw theory::SpecError("paired(" + term.text + "): expected " + std::to_string(result) +
                                " names in '" + word + "', found " + std::to_string(names));
      result = std::max(result, names);
    }
  }
  return result;
}

Ball in_run(const std::filesystem::path& folder, const ClaimTerm& term, std::size_t run) {
  std::map<std::string, Ball> values;
  for (std::size_t i = 0; i < term.quantities.size(); ++i) {
    std::vector<std::string> words;
    for (const std::string& word : term.quantities[i].words) {
      const std::vector<std::string> names = run_names(word);
      words.push_back(names.size() == 1 ? names.front() : names[run]);
    }
    values.emplace(std::string(kQuantity) + std::to_string(i), measured_value(folder, words));
  }
  try {
    return evaluate(term.skeleton, values, kSearchBits);
  } catch (const theory::EvaluationError& error) {
    throw theory::Undecided(error.what());
  }
}

}  // namespace

Ball paired(const std::filesystem::path& folder, const ClaimTerm& term) {
  std::vector<Ball> runs;
  for (std::size_t run = 0; run < number_of_runs(term); ++run) runs.push_back(in_run(folder, term, run));
  return over_runs(runs, term.text);
}

}  // namespace gpe::checks
