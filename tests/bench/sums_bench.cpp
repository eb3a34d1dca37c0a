// Certified Z and H to many digits, as JSON on standard output, for tests/bench/peers/sums.py.
//
//   sums_bench instances DIGITS [ID...]   scores of tests/cases: series_golden.csv, and divergent ones
//   sums_bench digits [MOST]              cost against digits, 15 to MOST (5000), one member of the family
//   sums_bench tails SEED COUNT DIGITS    random tails (tests/generators/tail_text.h) from n = 16 on with a
//   finite Z sums_bench delta                      cost against delta, 1 to 1e-12, 50 digits: all n, and n <=
//   1e12
//
// CPU time, the least of three runs for all that take less than a second; each run reads its text
// again.
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/sums/sums.h"
#include "tests/bench/measured.h"
#include "tests/cases/csv.h"
#include "tests/generators/tail_text.h"
#include "tests/in_time.h"
#include "theory/properties/verdict.h"
#include "theory/score/one_liner.h"
#include "theory/score/spec_parse.h"

namespace {

using namespace gpe;
using namespace gpe::checks;
using nlohmann::ordered_json;

using gpe::bench::processor_seconds;

// The result, and the time of one call: the least of three rows of calls of at least 20 ms each.
template <class Work>
auto timed(const Work& work) {
  double least = HUGE_VAL;
  decltype(work()) result;
  for (int row = 0; row < 3; ++row) {
    const double start = processor_seconds();
    double seconds = 0;
    int calls = 0;
    while (seconds < 0.02) {
      result = work();
      ++calls;
      seconds = processor_seconds() - start;
    }
    least = std::min(least, seconds / calls);
    if (least > 1) break;
  }
  return std::pair(result, least);
}

std::string decimal(const Ball& value, int digits) {
  char* const text = arb_get_str(value.raw(), digits, ARB_STR_NO_RADIUS);
  std::string result = text;
  flint_free(text);
  return result;
}

ordered_json number(const EnclosedNumber& value, int digits) {
  if (value.finite != Finite::yes) return value.finite == Finite::no ? "infinite" : nullptr;
  if (!value.value.is_finite()) return nullptr;
  return decimal(value.value, digits + 20);
}

theory::ScoreFunction law_of(const std::string& score, std::int64_t first) {
  return theory::instantiate(theory::encoding_of({score, "", "", "", first}), {}, {}, BallOracle());
}

const theory::Context& patient() {
  static const theory::Context context = testing::in_time(std::chrono::minutes(10));
  return context;
}

// Those of series_golden.csv, and the divergent ones of instances.csv.
std::vector<testing::CsvRow> scores() {
  std::vector<testing::CsvRow> rows = testing::read_cases("series_golden.csv");
  for (testing::CsvRow row : testing::read_cases("instances.csv")) {
    if (!row.at("gain").empty() || row.at("z_every") != "fails") continue;
    row["score"] = row.at("bias");
    rows.push_back(row);
  }
  return rows;
}

ordered_json instance(const testing::CsvRow& row, int digits) {
  const auto [sums, seconds] = timed(
      [&] { return enclose_sums(law_of(row.at("score"), std::stoll(row.at("first"))), digits, patient()); });
  return {{"id", row.at("id")},
          {"Z", number(sums.z, digits)},
          {"H", number(sums.entropy, digits)},
          {"method", sums.method},
          {"reason", sums.z.reason + sums.entropy.reason},
          {"seconds", seconds}};
}

long proved_digits(const Ball& z, const Ball& h) {
  return std::min(z.relative_bits(), h.relative_bits()) * 30103 / 100000;
}

ordered_json whole_sum(const std::string& score, int digits) {
  const auto [sums, seconds] = timed([&] { return enclose_sums(law_of(score, 0), digits, patient()); });
  return {{"seconds", seconds},
          {"proved", proved_digits(sums.z.value, sums.entropy.value)},
          {"method", sums.method}};
}

ordered_json against_digits(int most) {
  const std::string score = "-n/100 - log(1 + n)/2 - sqrt(n)/10";
  ordered_json rows = ordered_json::array();
  for (const int digits : {15, 30, 50, 100, 200, 500, 1000, 2000, 5000}) {
    if (digits > most) break;
    ordered_json row = whole_sum(score, digits);
    row["digits"] = digits;
    rows.push_back(row);
  }
  return {{"score", score}, {"rows", rows}};
}

ordered_json against_delta() {
  constexpr int kDigits = 50;
  const theory::Rational length = theory::Rational(10).pow(12);
  ordered_json rows = ordered_json::array();
  for (int power = 0; power <= 12; ++power) {
    const std::string score =
        "-n/10^" + std::to_string(power) + " - log(1 + n)/2 - sqrt(n)/10^" + std::to_string(power / 2 + 1);
    ordered_json row = whole_sum(score, kDigits);
    const auto [part, seconds] =
        timed([&] { return enclose_partial_sum(law_of(score, 0), length, kDigits, patient()); });
    row["delta"] = "1e-" + std::to_string(power);
    row["score"] = score;
    row["partial_seconds"] = seconds;
    row["partial_proved"] = proved_digits(part.z, part.entropy);
    rows.push_back(row);
  }
  return {{"digits", kDigits}, {"length", "1e12"}, {"rows", rows}};
}

// Tails that the reader takes, whose Z is proved to be finite.
ordered_json random_tails(std::uint64_t seed, std::size_t count, int digits) {
  constexpr int kFirst = 16;
  rc::Random random(seed);
  ordered_json rows = ordered_json::array();
  while (rows.size() < count) {
    const std::string text = testing::tail_text(2)(random.split(), 100).value();
    std::optional<theory::ScoreFunction> law;
    try {
      law = law_of(text, kFirst);
      if (enclose_sums(*law, 8, testing::in_time(std::chrono::seconds(5))).z.finite != Finite::yes) continue;
    } catch (const std::exception&) {  // undefined for some n >= kFirst, or not an expression of the language
      continue;
    }
    const double start = processor_seconds();
    const Sums sums = enclose_sums(*law, digits, testing::in_time(std::chrono::seconds(60)));
    rows.push_back({{"score", text},
                    {"seconds", processor_seconds() - start},
                    {"Z_digits", digits_of_bits(sums.z.value.relative_bits())},
                    {"entropy", sums.entropy.finite == Finite::no
                                    ? ordered_json("infinite")
                                    : ordered_json(digits_of_bits(sums.entropy.value.relative_bits()))},
                    {"method", sums.method},
                    {"reason", sums.z.reason + sums.entropy.reason}});
  }
  return {{"seed", seed}, {"digits", digits}, {"rows", rows}};
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() >= 2 && arguments[0] == "instances") {
    ordered_json rows = ordered_json::array();
    for (const testing::CsvRow& row : scores()) {
      const bool asked = arguments.size() == 2 ||
                         std::find(arguments.begin() + 2, arguments.end(), row.at("id")) != arguments.end();
      if (asked) rows.push_back(instance(row, std::stoi(arguments[1])));
    }
    std::cout << rows.dump(1) << '\n';
  } else if (!arguments.empty() && arguments.size() <= 2 && arguments[0] == "digits") {
    std::cout << against_digits(arguments.size() == 2 ? std::stoi(arguments[1]) : 5000).dump(1) << '\n';
  } else if (arguments.size() == 4 && arguments[0] == "tails") {
    std::cout
        << random_tails(std::stoull(arguments[1]), std::stoul(arguments[2]), std::stoi(arguments[3])).dump(1)
        << '\n';
  } else if (arguments.size() == 1 && arguments[0] == "delta") {
    std::cout << against_delta().dump(1) << '\n';
  } else {
    std::cerr << "sums_bench: expected instances DIGITS [ID...], digits [MOST], tails SEED COUNT DIGITS, or "
                 "delta\n";
    return 2;
  }
  return 0;
}
