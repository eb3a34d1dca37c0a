// How long the steps of a report take: reading, deciding, enclosing.
#include <benchmark/benchmark.h>

#include <filesystem>

#include "checks/arb/expr_ball.h"
#include "checks/report/report.h"
#include "checks/sums/sums.h"
#include "tests/in_time.h"
#include "theory/properties/verdict.h"
#include "theory/score/spec_parse.h"

namespace {

using namespace gpe;

const std::filesystem::path kFolder = std::filesystem::path(GPE_SOURCE_DIR) / "theory" / "encodings";

theory::Encoding encoding(const char* name) {
  return theory::load_encoding(kFolder / (std::string(name) + ".toml"));
}

void read_a_file(benchmark::State& state, const char* name) {
  for (auto _ : state) benchmark::DoNotOptimize(encoding(name));
}

void decide_every_reading(benchmark::State& state, const char* name) {
  const checks::BallOracle oracle;
  const theory::ScoreFunction law = theory::instantiate(encoding(name), {}, {}, oracle);
  for (auto _ : state) benchmark::DoNotOptimize(theory::find_all(law, {1}, testing::in_time()));
}

void enclose_alibi(benchmark::State& state) {
  const checks::BallOracle oracle;
  const theory::ScoreFunction law = at_values(theory::instantiate(encoding("alibi"), {}, {}, oracle));
  const int digits = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(checks::enclose_sums(law, digits, testing::in_time()));
}

void report(benchmark::State& state, const char* name) {
  const theory::Encoding read = encoding(name);
  for (auto _ : state) benchmark::DoNotOptimize(checks::analyse(read, {}, {}, {}, testing::in_time()));
}

}  // namespace

BENCHMARK_CAPTURE(read_a_file, ape, "ape")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(read_a_file, fire, "fire")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(decide_every_reading, alibi, "alibi")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decide_every_reading, ape, "ape")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(decide_every_reading, xpos, "xpos")->Unit(benchmark::kMillisecond);
BENCHMARK(enclose_alibi)->Arg(30)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(report, rope, "rope")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(report, alibi, "alibi")->Unit(benchmark::kMillisecond);
