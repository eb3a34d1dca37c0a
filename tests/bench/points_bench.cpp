// Certified Z and H of random members of the exponential-power family, as JSON on standard output: the sample
// with its values to 30 digits, and for each point what the quick sums give and how long one takes. For
// tests/bench/peers/points.py.
//
//   points_bench [COUNT [THREADS]]
//
// delta, beta, gamma are log-uniform in [1e-6, 1], each 0 with probability 1/5; delta = gamma = 0 has Z = ∞
// and is drawn again. CPU time of a call, the least of three rows of 100.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "checks/arb/expr_ball.h"
#include "checks/sums/family/family_quick.h"
#include "checks/sums/family/family_sum.h"

namespace {

using namespace gpe;
using namespace gpe::checks;
using nlohmann::ordered_json;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::vector<FamilyExponents> sample(std::size_t count) {
  std::mt19937_64 generator(1);
  const auto unit = [&] { return static_cast<double>(generator() >> 11) * 0x1p-53; };
  const auto exponent = [&] { return unit() < 0.2 ? 0.0 : std::pow(10, -6 * unit()); };
  std::vector<FamilyExponents> result;
  while (result.size() < count) {
    const double delta = exponent();
    const double beta = exponent();
    const double gamma = exponent();
    if (delta > 0 || gamma > 0) result.push_back({delta, beta, gamma});
  }
  return result;
}

theory::Rational rational(double value) {
  theory::Rational result;
  arf_t exact;
  arf_init(exact);
  arf_set_d(exact, value);
  arf_get_fmpq(result.raw(), exact);
  arf_clear(exact);
  return result;
}

std::string digits(const Ball& value) {
  char* const text = arb_get_str(value.raw(), 30, ARB_STR_NO_RADIUS);
  std::string result = text;
  flint_free(text);
  return result;
}

constexpr int kCalls = 100;

ordered_json point(const QuickFamily& quick, const FamilyExponents& family, const theory::Context& context) {
  double seconds = HUGE_VAL;
  std::optional<QuickSums> sums;
  for (int run = 0; run < 3; ++run) {
    const double start = processor_seconds();
    for (int call = 0; call < kCalls; ++call) sums = quick(family);
    seconds = std::min(seconds, (processor_seconds() - start) / kCalls);
  }
  const ExponentialPower exact{rational(family.delta), rational(family.beta), rational(family.gamma)};
  const Moments m = family_sum(exact, 0, std::nullopt, {true, false}, 35, context).value().moments;
  ordered_json row = {{"delta", family.delta},
                      {"beta", family.beta},
                      {"gamma", family.gamma},
                      {"Z", digits(m.z)},
                      {"H", digits(entropy_of(m, 200))}};
  if (sums) {
    row["quick"] = {sums->z, sums->z_error, sums->entropy, sums->entropy_error};
    row["seconds"] = seconds;
  }
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 2000;
  const long threads = argc > 2 ? std::atol(argv[2]) : 2;
  if (argc > 3 || count < 1 || threads < 1) {
    std::cerr << "points_bench: expected [COUNT [THREADS]], both at least 1\n";
    return 2;
  }
  const double begin = processor_seconds();
  const QuickFamily quick;
  const double making = processor_seconds() - begin;
  const auto families = sample(static_cast<std::size_t>(count));
  const BallOracle oracle;
  const theory::Context context(oracle);
  ordered_json rows = ordered_json::array();
  for (const FamilyExponents& family : families) rows.push_back(point(quick, family, context));
  // ten thousand and more at once, by the clock
  std::vector<FamilyExponents> many;
  while (many.size() < 20000) many.insert(many.end(), families.begin(), families.end());
  std::vector<std::optional<QuickSums>> sums(many.size());
  double least = HUGE_VAL;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    quick.all(many, sums, static_cast<unsigned>(threads));
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::cout << ordered_json{{"making_s", making},
                            {"threads", threads},
                            {"points_a_second", static_cast<double>(many.size()) / least},
                            {"points", rows}}
                   .dump(1)
            << '\n';
  return 0;
}
