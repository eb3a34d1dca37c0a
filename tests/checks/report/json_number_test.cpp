#include "checks/report/json_number.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace json_number_test {

using gpe::checks::Ball;
using gpe::checks::BigCount;
using gpe::checks::json_count;
using gpe::checks::json_ends;
using gpe::checks::json_integer;
using gpe::theory::Rational;

TEST(JsonNumber, integers_are_numbers_up_to_2_to_the_53_and_strings_beyond) {
  EXPECT_EQ(json_integer(Rational(0)).dump(), "0");
  EXPECT_EQ(json_integer(Rational(-17)).dump(), "-17");
  EXPECT_EQ(json_integer(Rational(2).pow(53)).dump(), "9007199254740992");
  EXPECT_EQ(json_integer(Rational(2).pow(53) + 1).dump(), "\"9007199254740993\"");
  EXPECT_EQ(json_integer(-Rational(2).pow(53) - 1).dump(), "\"-9007199254740993\"");
  EXPECT_EQ(json_integer(Rational(10).pow(30)).dump(), "\"1000000000000000000000000000000\"");
}

TEST(JsonNumber, a_count_is_each_of_its_kinds) {
  EXPECT_EQ(json_count(BigCount::none()).dump(), "null");
  EXPECT_EQ(json_count(BigCount{}).dump(), "null");
  EXPECT_EQ(json_count(BigCount::of(12)).dump(), "12");
  EXPECT_EQ(json_count(BigCount::of(Rational(10).pow(30))).dump(), "\"1000000000000000000000000000000\"");
  EXPECT_EQ(json_count(BigCount::power_of_ten("43429.4")).dump(), R"({"log10":"43429.4"})");
  EXPECT_EQ(json_count(BigCount::unbounded()).dump(), "\"unbounded\"");
  EXPECT_EQ(json_count(BigCount::unknown("why")).dump(), R"({"undecided":"why"})");
}

TEST(JsonNumber, ends_are_strings_rounded_outward) {
  EXPECT_EQ(json_ends(Ball(Rational(1, 3), 100), 5).dump(), R"({"lower":"0.33333","upper":"0.33334"})");
  EXPECT_EQ(json_ends(Ball(Rational(-1, 3), 100), 5).dump(), R"({"lower":"-0.33334","upper":"-0.33333"})");
  EXPECT_EQ(json_ends(Ball(2), 5).dump(), R"({"lower":"2.0000","upper":"2.0000"})");
  EXPECT_EQ(json_ends(Ball::unknown(), 5).dump(), "null");
}

}  // namespace json_number_test
