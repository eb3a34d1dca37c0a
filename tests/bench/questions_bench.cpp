// The verdicts that tests/bench/peers puts beside those of other systems, as JSON on standard output:
// the 92 questions of tests/cases/instances.csv, and every reading of every built-in encoding; with the
// argument "limits", the limits of tests/cases/limits.csv instead.
//
// Times are CPU time, the median of five runs; each run reads its text or file again.
#include <algorithm>
#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/cli/version.h"
#include "checks/configs/encoding_library.h"
#include "tests/bench/measured.h"
#include "tests/cases/csv.h"
#include "tests/cases/limits.h"
#include "tests/in_time.h"
#include "theory/properties/verdict.h"
#include "theory/score/one_liner.h"

namespace {

using namespace gpe;
using nlohmann::ordered_json;

constexpr int kRuns = 5;

using gpe::bench::processor_seconds;

// The result of the last run, and the median time.
template <class Work>
auto timed(const Work& work) {
  std::array<double, kRuns> seconds{};
  decltype(work()) result;
  for (double& each : seconds) {
    const double start = processor_seconds();
    result = work();
    each = processor_seconds() - start;
  }
  std::ranges::sort(seconds);
  return std::pair(result, seconds[kRuns / 2]);
}

ordered_json answer(const testing::CsvRow& row, char kind, const theory::ConstantOracle& oracle) {
  const theory::Reading* reading =
      kind == 'Z' ? find_reading(theory::Property::convergent_normalization, "every-content")
                  : find_reading(theory::Property::entropy_boundedness, "limit");
  const auto [verdict, seconds] = timed([&] {
    const theory::Encoding encoding =
        theory::encoding_of({row.at("bias"), row.at("gain"), "", "", std::stoll(row.at("first"))});
    return theory::find(*reading, theory::instantiate(encoding, {}, {}, oracle), 1, testing::in_time())
        .verdict;
  });
  return {{"id", row.at("id")},          {"kind", std::string(1, kind)},
          {"reading", reading->name},    {"truth", row.at(kind == 'Z' ? "z_every" : "h_every")},
          {"verdict", name_of(verdict)}, {"seconds", seconds}};
}

ordered_json library_entry(const std::string& name, const theory::ConstantOracle& oracle) {
  const auto [counts, seconds] = timed([&] {
    const theory::ScoreFunction law =
        theory::instantiate(checks::find_encoding(name, {}), {}, {}, oracle, theory::Families::taken);
    std::map<std::string, int> result;
    for (const theory::Finding& finding : theory::find_all(law, {1}, testing::in_time())) {
      ++result[std::string(name_of(finding.verdict))];
    }
    return result;
  });
  return {{"name", name}, {"verdicts", counts}, {"seconds", seconds}};
}

ordered_json limit_entry(const testing::CsvRow& row, const theory::ConstantOracle& oracle) {
  const auto [answer, seconds] = timed([&] { return testing::answer_limit(row, oracle); });
  return {
      {"place", row.at("place")}, {"answer", answer.word}, {"detail", answer.detail}, {"seconds", seconds}};
}

}  // namespace

int main(int argc, char** argv) {
  const checks::BallOracle oracle;
  ordered_json out = {{"version", kVersion}, {"runs", kRuns}};
  if (argc > 1 && std::string(argv[1]) == "limits") {
    for (const testing::CsvRow& row : testing::limits_of_suites())
      out["limits"].push_back(limit_entry(row, oracle));
    std::cout << out.dump() << '\n';
    return 0;
  }
  for (const testing::CsvRow& row : testing::read_cases("instances.csv")) {
    out["questions"].push_back(answer(row, 'Z', oracle));
    if (!row.at("h_every").empty()) out["questions"].push_back(answer(row, 'H', oracle));
  }
  for (const std::string& name : checks::library_names())
    out["library"].push_back(library_entry(name, oracle));
  std::cout << out.dump() << '\n';
}
