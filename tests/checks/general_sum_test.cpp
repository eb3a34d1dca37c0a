#include "checks/general_sum.h"

#include <gtest/gtest.h>

#include "checks/closed_form.h"
#include "tests/cases/csv.h"
#include "tests/checks/sum_tools.h"
#include "theory/convergence.h"

using namespace gpe::checks;
using namespace gpe::testing;
using gpe::theory::Rational;

namespace {

constexpr int kPlaces = 60;  // of the golden values
constexpr int kDigits = 50;

void expect_digits(const Ball& value, const Ball& expected, int digits, const std::string& what) {
  EXPECT_TRUE(value.overlaps(expected)) << what;
  EXPECT_GE(value.relative_bits(), bits_of(digits)) << what;
}

}  // namespace

// The golden values come from another program: tests/cases/make_series_golden.py.
class GoldenSum : public ::testing::TestWithParam<CsvRow> {};

TEST_P(GoldenSum, has_fifty_right_digits) {
  const CsvRow& row = GetParam();
  const Wanted want{!row.at("S").empty(), !row.at("D").empty()};
  const GeneralSum sum = whole_sum(row.at("score"), std::stoll(row.at("first")), want, kDigits);
  const long bits = 4L * kPlaces;
  const Ball z = golden(row.at("Z"), kPlaces);
  expect_digits(sum.moments.z, z, kDigits, "Z " + sum.method + " " + sum.reason);
  EXPECT_EQ(sum.proved.s, want.s) << sum.reason;
  EXPECT_EQ(sum.proved.d, want.d) << sum.reason;
  if (want.s) {
    const Ball s = golden(row.at("S"), kPlaces);
    EXPECT_TRUE(sum.moments.s.overlaps(s));
    expect_digits(entropy_of(sum.moments, sum.bits), entropy_of({z, s, Ball(0)}, bits), kDigits,
                  "H " + sum.method);
  }
  if (want.d) expect_digits(sum.moments.d, golden(row.at("D"), kPlaces), kDigits, "D " + sum.method);
}

INSTANTIATE_TEST_SUITE_P(instances, GoldenSum, ::testing::ValuesIn(read_cases("series_golden.csv")),
                         [](const auto& row) { return row.param.at("id"); });
